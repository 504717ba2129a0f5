import type { ImageBytes } from '../bytes.ts';

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
