import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';

/** A box of the ISO base media file format (ISO/IEC 14496-12). The range includes its header. */
export interface Box extends ByteRange {
  readonly type: string;
  /** Offset of its content. */
  readonly body: number;
}

/** More sibling boxes than any image has. */
const MAX_BOXES = 10_000;

/** The boxes in a range of the file. A box that reaches beyond it means that the image is incomplete. */
export async function readBoxes(file: ImageBytes, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    const header = await file.at(at, Math.min(16, to - at));
    const box = parseBox(header, at, to);
    if (boxes.push(box) > MAX_BOXES) throw new DamagedImageError();
    at = box.to;
  }
  return boxes;
}

/** The first box of each type in the one before; undefined where one has none. */
export async function descend(file: ImageBytes, from: Pick<Box, 'body' | 'to'>, path: readonly string[]): Promise<Box | undefined> {
  let [box, inside]: [Box | undefined, typeof from] = [undefined, from];
  for (const type of path) {
    box = (await readBoxes(file, inside.body, inside.to)).find((child) => child.type === type);
    if (!box) return undefined;
    inside = box;
  }
  return box;
}

/** Boxes inside a part of the file that is in memory; `base` is that part's offset in the file. */
export function parseBoxes(part: Buffer, base: number, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    const box = parseBox(part.subarray(at - base, at - base + 16), at, to);
    if (boxes.push(box) > MAX_BOXES) throw new DamagedImageError();
    at = box.to;
  }
  return boxes;
}

function parseBox(header: Buffer, at: number, limit: number): Box {
  if (header.length < 8) throw new DamagedImageError();
  const short = header.readUInt32BE();
  const isLong = short === 1;
  if (isLong && header.length < 16) throw new DamagedImageError();
  const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? limit - at : short;
  const body = at + (isLong ? 16 : 8);
  if (body > at + size || at + size > limit) throw new DamagedImageError();
  return { type: header.toString('latin1', 4, 8), from: at, to: at + size, body };
}

/** Reads numbers in sequence. Reading past the end means that the image is damaged. */
export class Cursor {
  readonly #part: Buffer;
  readonly #base: number;
  readonly #end: number;
  /** Position in the file of the next byte. */
  at: number;

  constructor(part: Buffer, base: number, range: ByteRange) {
    this.#part = part;
    this.#base = base;
    this.#end = Math.min(range.to, base + part.length);
    this.at = range.from;
  }

  /** A big-endian number of 0, 1, 2, 3, 4 or 8 bytes; 0 when it has none. Other lengths occur only in damaged files. */
  uint(bytes: number): number {
    if (bytes > 4 && bytes !== 8) throw new DamagedImageError();
    const from = this.#take(bytes);
    if (bytes === 0) return 0;
    return bytes === 8 ? Number(this.#part.readBigUInt64BE(from)) : this.#part.readUIntBE(from, bytes);
  }

  text(bytes: number): string {
    const from = this.#take(bytes);
    return this.#part.toString('latin1', from, from + bytes);
  }

  /** Version of a full box. Skips its flags. */
  version(): number {
    const version = this.uint(1);
    this.uint(3);
    return version;
  }

  #take(bytes: number): number {
    if (this.at + bytes > this.#end) throw new DamagedImageError();
    const from = this.at - this.#base;
    this.at += bytes;
    return from;
  }
}
