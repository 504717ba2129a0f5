import { BMP_HEADER_BYTES, type BmpHeader, readBmpHeader } from '../../bmp/header.ts';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import type { DecodeJob } from './job.ts';
import { allocateTiff } from './tiff.ts';

/** Writes the pixel that begins at `bit` of the row to the output. */
type PixelWriter = (row: Buffer, x: number, out: Uint8Array, at: number) => void;

/** Decodes a BMP of any kind that Windows writes into an uncompressed TIFF. */
export function decodeBmp(file: Uint8Array, job: DecodeJob): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const header = readBmpHeader(bytes.subarray(0, BMP_HEADER_BYTES));
  const { width, height, masks } = header;
  if (width < 1 || height < 1) throw new DamagedImageError();
  if (width * height > job.pixels) throw new ImageTooLargeError('The picture has too many pixels.');
  const channels = masks[3] === 0 ? 3 : 4;
  const { tiff, pixels } = allocateTiff({ width, height, channels, ...(job.icc && { icc: job.icc }) });
  const isRunLength = header.compression === 'rle8' || header.compression === 'rle4';
  const source = isRunLength ? { ...header, bitsPerPixel: 8, pixelsAt: 0 } : header;
  writeRows(isRunLength ? unpackRuns(bytes, header) : bytes, source, pixels, channels);
  if (channels === 4) makeOpaqueIfInvisible(pixels);
  return tiff;
}

function writeRows(bytes: Buffer, header: BmpHeader, out: Uint8Array, channels: number): void {
  const { width, height, bitsPerPixel, pixelsAt, isTopDown } = header;
  const used = Math.ceil((width * bitsPerPixel) / 8);
  // Rows are padded to four bytes; run-length data was unpacked without padding.
  const stride = header.compression.startsWith('rle') ? used : Math.ceil(used / 4) * 4;
  if (pixelsAt + stride * (height - 1) + used > bytes.length) throw new DamagedImageError();
  const write = pixelWriter(header);
  for (let y = 0; y < height; y++) {
    const from = pixelsAt + stride * (isTopDown ? y : height - 1 - y);
    const row = bytes.subarray(from, from + used);
    for (let x = 0, at = y * width * channels; x < width; x++, at += channels) write(row, x, out, at);
  }
}

function pixelWriter(header: BmpHeader): PixelWriter {
  const { bitsPerPixel, masks, palette } = header;
  if (bitsPerPixel <= 8) return indexedWriter(bitsPerPixel, palette);
  if (bitsPerPixel === 24) {
    return (row, x, out, at) => {
      out[at] = row[x * 3 + 2] ?? 0;
      out[at + 1] = row[x * 3 + 1] ?? 0;
      out[at + 2] = row[x * 3] ?? 0;
    };
  }
  const fields = masks.filter((mask) => mask !== 0 || masks[3] !== mask).map(maskReader);
  const read =
    bitsPerPixel === 16 ? (row: Buffer, x: number) => row.readUInt16LE(x * 2) : (row: Buffer, x: number) => row.readUInt32LE(x * 4);
  return (row, x, out, at) => {
    const value = read(row, x);
    for (let i = 0; i < fields.length; i++) out[at + i] = fields[i]?.(value) ?? 0;
  };
}

function indexedWriter(bits: number, palette: BmpHeader['palette']): PixelWriter {
  const perByte = 8 / bits;
  const mask = 2 ** bits - 1;
  return (row, x, out, at) => {
    const byte = row[Math.floor(x / perByte)] ?? 0;
    const colour = palette[(byte >> (8 - bits * ((x % perByte) + 1))) & mask];
    out[at] = colour?.[0] ?? 0;
    out[at + 1] = colour?.[1] ?? 0;
    out[at + 2] = colour?.[2] ?? 0;
  };
}

/** Scales the bits under a mask to 0–255. */
function maskReader(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / max);
}

/** Some programs declare alpha but leave it zero: the image is opaque. */
function makeOpaqueIfInvisible(pixels: Uint8Array): void {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return;
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
}

/** Unpacks run-length coding into one index per byte, in file order. Skipped pixels keep index 0. */
function unpackRuns(bytes: Buffer, header: BmpHeader): Buffer {
  const { width, height } = header;
  const indexes = Buffer.alloc(width * height);
  const isNibbles = header.compression === 'rle4';
  const byteAt = (at: number) => {
    if (at >= bytes.length) throw new DamagedImageError();
    return bytes.readUInt8(at);
  };
  const pick = (byte: number, i: number) => (isNibbles ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
  let x = 0;
  let y = 0;
  const put = (index: number) => {
    if (x < width && y < height) indexes[y * width + x] = index;
    x++;
  };
  for (let at = header.pixelsAt; y < height; ) {
    const count = byteAt(at);
    const value = byteAt(at + 1);
    at += 2;
    if (count > 0) for (let i = 0; i < count; i++) put(pick(value, i));
    else if (value === 0) [x, y] = [0, y + 1];
    else if (value === 1) break;
    else if (value === 2) {
      [x, y] = [x + byteAt(at), y + byteAt(at + 1)];
      at += 2;
    } else {
      for (let i = 0; i < value; i++) put(pick(byteAt(at + (isNibbles ? i >> 1 : i)), i));
      // Literal runs are padded to two bytes.
      at += Math.ceil((isNibbles ? Math.ceil(value / 2) : value) / 2) * 2;
    }
  }
  return indexes;
}
