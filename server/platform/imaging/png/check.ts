import { constants, inflateSync, type ZlibOptions } from 'node:zlib';
import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { PictureHeader } from '../memory.ts';
import { FRAME, SIGNATURE_LENGTH } from './chunks.ts';

/** A PNG that decoders accept, apart from its pixels. */
export interface PngFacts {
  readonly header: PictureHeader;
  readonly rows: number;
  /** The length of a row, with the byte that names its filter. */
  readonly rowBytes: number;
  /** The compressed pixels. */
  readonly data: readonly ByteRange[];
}

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
  if (!colour?.depths.includes(depth) || width === 0 || height === 0 || start.readUInt16BE(10) !== 0 || interlace !== 0) return undefined;
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
      isProgressive: false,
      hasAlpha,
    },
    rows: height,
    rowBytes: 1 + Math.ceil((width * depth * colour.channels) / 8),
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
        if (colours > 0 || isTransparent || length === 0 || length % 3 !== 0) return undefined;
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

/** Far more than enough to detect a writer that doesn't compress, or compresses something else. */
const CHECKED_BYTES = 4 * 1024;
/** Memory of {@link hasSoundRows}, whatever the size of the picture: zlib inflates one byte to at most 1,032, and joins its parts in the end. */
export const PNG_CHECK_BYTES = 2 * 1032 * CHECKED_BYTES;
const MAX_FILTER = 4;

/**
 * Whether the compressed data begins with rows of the picture, each with a filter that exists; less than 4 KB must be exactly all rows.
 * The checksums, which match, vouch for the rest (decision 106). Nothing is decoded.
 */
export async function hasSoundRows(file: ImageBytes, { rows, rowBytes, data }: Omit<PngFacts, 'header'>): Promise<boolean> {
  const start = await startOf(file, data);
  const isAll = start.length < CHECKED_BYTES;
  const inflated = inflate(start, isAll ? {} : { finishFlush: constants.Z_SYNC_FLUSH });
  if (!inflated || (isAll ? inflated.length !== rows * rowBytes : inflated.length > rows * rowBytes)) return false;
  for (let at = 0; at < inflated.length; at += rowBytes) if ((inflated[at] as number) > MAX_FILTER) return false;
  return true;
}

/** Undefined for data that isn't compressed, or ends too soon. */
function inflate(data: Buffer, options: ZlibOptions): Buffer | undefined {
  try {
    return inflateSync(data, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) return undefined;
    throw error;
  }
}

async function startOf(file: ImageBytes, ranges: readonly ByteRange[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = CHECKED_BYTES;
  for (const { from, to } of ranges) {
    const part = await file.copy({ from, to: Math.min(to, from + left) });
    parts.push(part);
    left -= part.length;
    if (left === 0) break;
  }
  return Buffer.concat(parts);
}
