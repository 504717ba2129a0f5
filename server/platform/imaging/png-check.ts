import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import type { ByteRange, ImageBytes } from './bytes.ts';
import type { PictureHeader } from './memory.ts';

/** A PNG that decoders accept, apart from its pixels. */
export interface PngFacts {
  readonly header: Omit<PictureHeader, 'autoOrient'>;
  /** The rows of each pass, in the order of the data. */
  readonly passes: readonly Pass[];
  /** The compressed pixels. */
  readonly data: readonly ByteRange[];
}

interface Pass {
  readonly rows: number;
  /** The length of a row, with the byte that names its filter. */
  readonly rowBytes: number;
}

const SIGNATURE_LENGTH = 8;
/** Length, type and checksum around the data of a chunk. */
const FRAME = 12;
/** libvips rejects more texts; no ordinary file has as many chunks besides its pixels. */
const MAX_CHUNKS = 20;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** The third letter is a capital in every version of PNG so far. */
const CHUNK_NAME = /^[A-Za-z]{2}[A-Z][A-Za-z]$/;

/** By colour type: channels, and the depths that it may have. */
const COLOURS: Record<number, { channels: 1 | 2 | 3 | 4; depths: readonly number[] }> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};
const PALETTE = 3;
const ALPHA = 4;

/** Offsets and steps of Adam7's passes: x, y, step in x, step in y. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * Reads the chunks of a PNG whose structure is sound and whose checksums match (`planStrip`).
 * @returns undefined if anything is unusual; only a decoder can say then whether the picture can be shown
 */
export async function readPng(file: ImageBytes): Promise<PngFacts | undefined> {
  const start = await file.at(SIGNATURE_LENGTH + 8, 13);
  const [width, height, depth, type, interlace] = [
    start.readUInt32BE(),
    start.readUInt32BE(4),
    start.readUInt8(8),
    start.readUInt8(9),
    start.readUInt8(12),
  ];
  const colour = COLOURS[type];
  if (!colour?.depths.includes(depth) || width === 0 || height === 0 || start.readUInt16BE(10) !== 0 || interlace > 1) return undefined;
  const found = await readChunks(file, { type, depth });
  if (!found) return undefined;
  const hasAlpha = (type & ALPHA) !== 0 || found.isTransparent;
  const colours = type === PALETTE ? 3 : colour.channels - ((type & ALPHA) !== 0 ? 1 : 0);
  return {
    header: {
      format: 'png',
      width,
      height,
      channels: (colours + (hasAlpha ? 1 : 0)) as 1 | 2 | 3 | 4,
      depth: depth === 16 ? 'ushort' : 'uchar',
      isProgressive: interlace === 1,
      hasAlpha,
    },
    passes: passesOf(width, height, depth * colour.channels, interlace === 1),
    data: found.data,
  };
}

/** Undefined for an order, a number or a size of chunks that no ordinary writer produces. */
async function readChunks(file: ImageBytes, { type, depth }: { type: number; depth: number }) {
  const data: ByteRange[] = [];
  let [others, colours, isTransparent, isPast] = [0, 0, false, false];
  for (let at = SIGNATURE_LENGTH; ; ) {
    const head = await file.at(at, 8);
    const length = head.readUInt32BE();
    const name = head.toString('latin1', 4);
    if (name === 'IEND') break;
    if (name === 'IDAT') {
      if (isPast) return undefined;
      data.push({ from: at + 8, to: at + 8 + length });
    } else {
      if (++others > MAX_CHUNKS || length > MAX_CHUNK_BYTES || !CHUNK_NAME.test(name)) return undefined;
      isPast = data.length > 0;
      if ((name === 'PLTE' || name === 'tRNS') && isPast) return undefined;
      if (name === 'PLTE') {
        if (colours > 0 || isTransparent || length % 3 !== 0) return undefined;
        colours = length / 3;
      }
      if (name === 'tRNS') {
        if (isTransparent || !isTransparency(type, length, colours)) return undefined;
        isTransparent = true;
      }
    }
    at += FRAME + length;
  }
  const isPalette = type === PALETTE;
  if (isPalette ? colours < 1 || colours > 2 ** depth : colours > 0) return undefined;
  return { data, isTransparent };
}

/** Whether a `tRNS` chunk fits the colour type: two bytes for a grey level, six for a colour, or one for each of the first colours of the palette. */
function isTransparency(type: number, length: number, colours: number): boolean {
  if (type === PALETTE) return length >= 1 && length <= colours;
  return length === { 0: 2, 2: 6 }[type];
}

function passesOf(width: number, height: number, bitsPerPixel: number, isInterlaced: boolean): Pass[] {
  const passes = isInterlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  return passes
    .map(([x, y, stepX, stepY]) => ({ columns: Math.ceil((width - x) / stepX), rows: Math.ceil((height - y) / stepY) }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
    .map(({ columns, rows }) => ({ rows, rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8) }));
}

/** Larger inputs and outputs save calls; larger ones than these are mapped by the system and zeroed each time. */
const INPUT_BYTES = 256 * 1024;
const OUTPUT_BYTES = 128 * 1024;
/** Memory of {@link hasAllRows}, whatever the size of the picture. */
export const PNG_CHECK_BYTES = INPUT_BYTES + 4 * OUTPUT_BYTES;
const MAX_FILTER = 4;

/** Whether the compressed data holds exactly the rows of the picture, each with a filter that exists: all that a decoder can reject. Nothing is decoded. */
export async function hasAllRows(file: ImageBytes, { passes, data }: Pick<PngFacts, 'passes' | 'data'>): Promise<boolean> {
  const rows = countRows(passes);
  try {
    await pipeline(
      partsOf(file, data),
      createInflate({ chunkSize: OUTPUT_BYTES }),
      async (inflated: AsyncIterable<Buffer<ArrayBuffer>>) => {
        for await (const part of inflated) {
          if (!rows.take(part)) return; // which stops the rest
          free(part);
        }
      },
    );
  } catch (error) {
    if (isFaultOfData(error)) return false;
    throw error;
  }
  return rows.isComplete();
}

/** A fault that zlib has found, or the end of the stream at the first wrong filter. */
const isFaultOfData = (error: unknown) => /^(Z_|ABORT_ERR$|ERR_STREAM_PREMATURE_CLOSE$)/.test((error as NodeJS.ErrnoException).code ?? '');

/** Frees the buffer whose last part this is; zlib may still be writing to the others. */
function free(part: Buffer): void {
  if (part.byteOffset + part.length === part.buffer.byteLength) freeBuffer(part);
}

/**
 * Writers split the data into chunks of 8 KB, and each call of zlib costs as much as inflating one.
 * All parts share a buffer: each is larger than the stream's high-water mark, so that it asks for the next one when it has inflated this one.
 */
async function* partsOf(file: ImageBytes, ranges: readonly ByteRange[]): AsyncGenerator<Buffer> {
  const total = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const buffer = Buffer.allocUnsafe(Math.min(INPUT_BYTES, total));
  let filled = 0;
  for (const { from, to } of ranges) {
    for (let at = from; at < to; ) {
      const view = (await file.some(at)).subarray(0, Math.min(to - at, buffer.length - filled));
      filled += view.copy(buffer, filled);
      at += view.length;
      if (filled < buffer.length) continue;
      yield buffer;
      filled = 0;
    }
  }
  yield buffer.subarray(0, filled);
}

/** Walks from filter to filter. `take` returns false at the first one that doesn't exist, and after the last row. */
function countRows(passes: readonly Pass[]) {
  let pass = 0;
  let row = 0;
  /** Where the next row begins, counted from the part that is next. */
  let next = 0;
  return {
    take(part: Buffer): boolean {
      while (next < part.length) {
        const current = passes[pass];
        if (!current || (part[next] ?? 0) > MAX_FILTER) {
          pass = -1;
          return false;
        }
        next += current.rowBytes;
        if (++row < current.rows) continue;
        pass++;
        row = 0;
      }
      next -= part.length;
      return true;
    },
    isComplete: () => pass === passes.length && next === 0,
  };
}
