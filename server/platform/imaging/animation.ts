import type { ImageBytes } from './bytes.ts';
import { type Box, readBoxes } from './heif/boxes.ts';
import type { Size } from './heif/sizes.ts';
import type { SniffedFormat } from './types.ts';

/**
 * Counts the frames of animations in which sharp sees only the first frame: APNG (from its `acTL` chunk) and AVIF
 * sequences (from the sample table of their first track). 1 for everything else.
 */
export async function countHiddenFrames(file: ImageBytes, format: SniffedFormat): Promise<number> {
  if (format === 'png') return countApngFrames(file);
  if (format === 'avif') return countSequenceFrames(file);
  return 1;
}

/** `acTL` must come before the first pixels. */
async function countApngFrames(file: ImageBytes): Promise<number> {
  for (let at = 8; at + 12 <= file.size; ) {
    const head = await file.at(at, 12);
    const type = head.toString('latin1', 4, 8);
    if (type === 'acTL') return Math.max(1, head.readUInt32BE(8));
    if (type === 'IDAT' || type === 'IEND') break;
    at += 12 + head.readUInt32BE();
  }
  return 1;
}

async function countSequenceFrames(file: ImageBytes): Promise<number> {
  let inside: Box[] = await readBoxes(file, 0, file.size);
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const box = inside.find((candidate) => candidate.type === type);
    if (!box) return 1;
    inside = await readBoxes(file, box.body, box.to);
  }
  const sizes = inside.find(({ type }) => type === 'stsz');
  return sizes ? Math.max(1, (await file.at(sizes.body + 8, 4)).readUInt32BE()) : 1;
}

/**
 * The canvas size in a GIF's header. libvips uses the size of the frames where the canvas looks improbably large, browsers
 * use the canvas: a file may be small for one and a bomb for the other.
 */
export async function readGifCanvas(file: ImageBytes): Promise<Size> {
  const header = await file.at(0, 10);
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}
