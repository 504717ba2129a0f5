import { once } from 'node:events';
import { createInflate } from 'node:zlib';
import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Piece } from '../metadata/plan.ts';
import { endsReadable, TAIL_BYTES } from '../metadata/tail.ts';
import { completedChunk } from './chunks.ts';

/** In front of the data of `fdAT`: a number. */
const NUMBER_BYTES = 4;
const COPY_BYTES = 64 * 1024;
/** Of all rows that are inflated for one file: more than any picture within the limits has, and any number of frames together. */
const MAX_INFLATED = 1024 ** 3;
/** What is inflated at once: each part costs the process a turn. */
const INFLATED_BYTES = 1024 * 1024;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Adam7: where each pass begins, and its steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** What the header of a PNG says. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly type: number;
  readonly isInterlaced: boolean;
}

/** Bytes of all rows, with those that name their filters. */
function rowBytes({ width, height, depth, type, isInterlaced }: PngHeader): number {
  const rows = (columns: number, count: number) =>
    columns > 0 ? count * (1 + Math.ceil((columns * depth * (CHANNELS[type] ?? 0)) / 8)) : 0;
  if (!isInterlaced) return rows(width, height);
  return PASSES.reduce((sum, [x, y, across, down]) => sum + rows(Math.ceil((width - x) / across), Math.ceil((height - y) / down)), 0);
}

/** The compressed pixels of one picture in a PNG, which a number of chunks hold: `IDAT`, or `fdAT` of a frame. */
export class PngPixels {
  readonly #file: ImageBytes;
  readonly #header: PngHeader;
  readonly #chunks: (ByteRange & { readonly type: string })[] = [];
  readonly #inflating: { left: number };

  /** @param previous the pixels in front of these in the file */
  constructor(file: ImageBytes, header: PngHeader, previous?: PngPixels) {
    this.#file = file;
    this.#header = header;
    this.#inflating = previous ? previous.#inflating : { left: MAX_INFLATED };
  }

  /** Takes the data of the next chunk. */
  take(type: string, data: ByteRange): void {
    this.#chunks.push({ type, from: data.from + (type === 'fdAT' ? NUMBER_BYTES : 0), to: data.to });
  }

  /** The chunks as they stay: without what is behind the compressed data, if it looks as if something were there. */
  async pieces(): Promise<readonly Piece[]> {
    const last = this.#chunks.at(-1);
    const tail =
      last &&
      last.to > last.from &&
      (await this.#file.at(Math.max(last.from, last.to - TAIL_BYTES), Math.min(TAIL_BYTES, last.to - last.from)));
    const length = tail && endsReadable(tail) ? await this.#length() : undefined;
    return length === undefined ? this.#chunks.map((chunk) => wholeChunk(chunk)) : this.#cut(length);
  }

  /** Whether the data is there for all rows. */
  async isComplete(): Promise<boolean> {
    return (await this.#length()) !== undefined;
  }

  /** The length of the compressed data; undefined if it isn't exactly that of all rows. */
  async #length(): Promise<number | undefined> {
    const expected = rowBytes(this.#header);
    if (!(expected <= this.#inflating.left)) return undefined;
    this.#inflating.left -= expected;
    const inflate = createInflate({ chunkSize: INFLATED_BYTES });
    let rows = 0;
    inflate.on('data', ({ length }: Buffer) => {
      rows += length;
    });
    // Without an error, even if more follows the data.
    const ended = once(inflate, 'end').then(
      () => true,
      () => false,
    );
    for await (const piece of this.#data()) {
      await Promise.race([ended, new Promise<void>((resolve) => inflate.write(piece, () => resolve()))]);
      if (rows > expected || inflate.readableEnded || inflate.destroyed) break;
    }
    if (rows > expected) inflate.destroy();
    else if (!inflate.destroyed) inflate.end();
    return rows <= expected && (await ended) && rows === expected ? inflate.bytesWritten : undefined;
  }

  async *#data(): AsyncGenerator<Buffer> {
    for (const { from, to } of this.#chunks)
      for (let at = from; at < to; at += COPY_BYTES) yield this.#file.copy({ from: at, to: Math.min(to, at + COPY_BYTES) });
  }

  async #cut(length: number): Promise<Piece[]> {
    const pieces: Piece[] = [];
    let left = length;
    for (const chunk of this.#chunks) {
      if (left <= 0) break;
      pieces.push(
        ...(left >= chunk.to - chunk.from
          ? [wholeChunk(chunk)]
          : await completedChunk(this.#file, chunk.type, { from: dataStart(chunk), to: chunk.from + left })),
      );
      left -= chunk.to - chunk.from;
    }
    return pieces;
  }
}

const dataStart = ({ type, from }: { type: string; from: number }) => from - (type === 'fdAT' ? NUMBER_BYTES : 0);
const wholeChunk = (chunk: ByteRange & { type: string }) => ({ from: dataStart(chunk) - 8, to: chunk.to + 4 });
