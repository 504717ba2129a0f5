import type { ByteRange, ImageBytes } from './bytes.ts';
import { descend } from './heif/boxes.ts';
import type { Size } from './heif/sizes.ts';
import { colourTableLength, GIF_EXTENSION, GIF_HEADER_LENGTH, GIF_IMAGE, readDescriptor, skipSubBlocks } from './metadata/gif.ts';
import { chunkOf, pngChunks, SIGNATURE_LENGTH } from './png/chunks.ts';
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
  for await (const { type, data } of pngChunks(file)) {
    if (type === 'acTL') return Math.max(1, (await file.at(data.from, 4)).readUInt32BE());
    if (type === 'IDAT' || type === 'IEND') break;
  }
  return 1;
}

/** The first frame of an animation, as a picture of its own, and its place on the canvas. */
export interface FirstFrame extends Size {
  readonly left: number;
  readonly top: number;
  readonly picture: Buffer;
}

/**
 * The first frame of an APNG whose still picture isn't part of the animation: that is for programs that don't know APNG, such as libvips, and browsers never show it.
 * Undefined for every other PNG.
 */
export async function hiddenApngFrame(file: ImageBytes): Promise<FirstFrame | undefined> {
  /** In front of the still picture: the header, and what holds for all frames. */
  const head: ByteRange[] = [];
  const pixels: ByteRange[] = [];
  let place: Omit<FirstFrame, 'picture'> | undefined;
  let [isAnimated, hasStill] = [false, false];
  for await (const { type, from, to, data } of pngChunks(file)) {
    if (type === 'IEND' || (pixels.length > 0 && type !== 'fdAT')) break;
    if (type === 'IDAT') {
      if (!isAnimated) return undefined;
      hasStill = true;
    } else if (type === 'fcTL') {
      if (!hasStill) return undefined;
      place ??= await placeOf(file, data.from);
    } else if (type === 'fdAT') {
      // Its data begins with a number.
      if (place) pixels.push({ from: data.from + 4, to: data.to });
    } else if (type === 'acTL') isAnimated ||= !hasStill;
    else if (!hasStill) head.push({ from, to });
  }
  const [header, ...others] = await Promise.all(head.map((chunk) => file.copy(chunk)));
  if (!place || !header || pixels.length === 0) return undefined;
  const ihdr = Buffer.from(header.subarray(8, -4));
  const [width, height] = [ihdr.readUInt32BE(), ihdr.readUInt32BE(4)];
  if (place.width === 0 || place.height === 0 || place.left + place.width > width || place.top + place.height > height) return undefined;
  ihdr.writeUInt32BE(place.width);
  ihdr.writeUInt32BE(place.height, 4);
  const signature = await file.copy({ from: 0, to: SIGNATURE_LENGTH });
  const idat = await Promise.all(pixels.map(async (chunk) => chunkOf('IDAT', await file.copy(chunk))));
  const picture = Buffer.concat([signature, chunkOf('IHDR', ihdr), ...others, ...idat, chunkOf('IEND', Buffer.alloc(0))]);
  return { ...place, picture };
}

async function placeOf(file: ImageBytes, at: number) {
  const control = await file.at(at, 20);
  const [width, height, left, top] = [4, 8, 12, 16].map((field) => control.readUInt32BE(field)) as [number, number, number, number];
  return { width, height, left, top };
}

async function countSequenceFrames(file: ImageBytes): Promise<number> {
  const sizes = await descend(file, { body: 0, to: file.size }, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz']);
  return sizes ? Math.max(1, (await file.at(sizes.body + 8, 4)).readUInt32BE()) : 1;
}

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const FRAME_HEADER = 16;
const ALPHA_FLAG = 0x10;

/** The frames of an animated WebP (RFC 9649) whose structure is sound, each as a picture of its own. */
export async function* webpFrames(file: ImageBytes): AsyncGenerator<Buffer> {
  for await (const frame of frameSpans(file)) yield stillWebp(await file.copy(frame));
}

/** Bytes of memory that each of {@link webpFrames} takes at most: it is read, and copied into a picture of its own. */
export async function webpFrameBytes(file: ImageBytes): Promise<number> {
  let largest = 0;
  for await (const { from, to } of frameSpans(file)) largest = Math.max(largest, to - from);
  return 2 * largest;
}

async function* frameSpans(file: ImageBytes): AsyncGenerator<{ from: number; to: number }> {
  const end = CHUNK_HEADER + (await file.at(4, 4)).readUInt32LE();
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= end; ) {
    const head = await file.at(at, CHUNK_HEADER);
    const isFrame = head.toString('latin1', 0, 4) === 'ANMF';
    const from = at + CHUNK_HEADER;
    const to = from + head.readUInt32LE(4);
    if (isFrame) yield { from, to };
    at = to + ((to - from) % 2);
  }
}

function stillWebp(frame: Buffer): Buffer {
  const chunks = frame.subarray(FRAME_HEADER);
  const head = Buffer.alloc(RIFF_HEADER + CHUNK_HEADER + 10);
  const padding = Buffer.alloc(chunks.length % 2);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(head.length + chunks.length + padding.length - CHUNK_HEADER, 4);
  head.write('WEBPVP8X', 8, 'latin1');
  head.writeUInt32LE(10, 16);
  head.writeUInt8(ALPHA_FLAG, 20);
  // The size of the canvas is that of the frame: width and height, less one, in three bytes each.
  frame.copy(head, 24, 6, 12);
  return Buffer.concat([head, chunks, padding]);
}

/**
 * The canvas size in a GIF's header. libvips uses the size of the frames where the canvas looks improbably large, browsers
 * use the canvas: a file may be small for one and a bomb for the other.
 */
export async function readGifCanvas(file: ImageBytes): Promise<Size> {
  const header = await file.at(0, 10);
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}

/** The place of a GIF's first frame on its canvas; undefined without one. */
export async function readGifFrame(file: ImageBytes): Promise<(Size & { left: number; top: number }) | undefined> {
  const kindAt = async (at: number) => (await file.at(at, 1)).readUInt8();
  let at = GIF_HEADER_LENGTH + colourTableLength((await file.at(0, GIF_HEADER_LENGTH)).readUInt8(10));
  while ((await kindAt(at)) === GIF_EXTENSION) at = await skipSubBlocks(file, at + 2);
  if ((await kindAt(at)) !== GIF_IMAGE) return undefined;
  const { left, top, width, height } = await readDescriptor(file, at);
  return { left, top, width, height };
}
