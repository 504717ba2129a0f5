import { crc32 } from 'node:zlib';
import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Piece } from '../metadata/plan.ts';

export const SIGNATURE_LENGTH = 8;
/** Length, type and checksum around the data of a chunk. */
export const FRAME = 12;

/** A chunk, from its length to its checksum. */
export interface Chunk extends ByteRange {
  readonly type: string;
  readonly data: ByteRange;
}

/** The chunks of a PNG, as far as they are complete. */
export async function* pngChunks(file: ImageBytes): AsyncGenerator<Chunk> {
  for (let chunk = await chunkAt(file, SIGNATURE_LENGTH); chunk; chunk = await chunkAt(file, chunk.to)) yield chunk;
}

/** Undefined where the file ends before the chunk does. */
export async function chunkAt(file: ImageBytes, at: number): Promise<Chunk | undefined> {
  if (at + FRAME > file.size) return undefined;
  const head = await file.at(at, 8);
  const to = at + FRAME + head.readUInt32BE();
  return to > file.size ? undefined : { type: head.toString('latin1', 4), from: at, to, data: { from: at + 8, to: to - 4 } };
}

/** Whether the checksum of a chunk is that of its type and its data. */
export async function isIntact(file: ImageBytes, { from, to }: Chunk): Promise<boolean> {
  return (await checksumOf(file, { from: from + 4, to: to - 4 })) === (await file.at(to - 4, 4)).readUInt32BE();
}

export function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(FRAME + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Data that a chunk begins with, as a chunk of its own. */
export async function completedChunk(file: ImageBytes, type: string, data: ByteRange): Promise<Piece[]> {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.to - data.from);
  head.write(type, 4, 'latin1');
  const end = Buffer.alloc(4);
  end.writeUInt32BE(await checksumOf(file, data, crc32(head.subarray(4))));
  return [{ bytes: head }, { from: data.from, to: data.to }, { bytes: end }];
}

/** @param sum of what precedes */
async function checksumOf(file: ImageBytes, { from, to }: ByteRange, sum = 0): Promise<number> {
  let all = sum;
  for (let at = from; at < to; ) {
    const view = await file.some(at);
    const part = view.subarray(0, to - at);
    all = crc32(part, all);
    at += part.length;
  }
  return all;
}
