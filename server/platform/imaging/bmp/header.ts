import type { ByteRange } from '../bytes.ts';
import { DamagedImageError, UnsupportedImageError } from '../errors.ts';

/** The size of the largest headers with the largest palette. */
export const BMP_HEADER_BYTES = 14 + 124 + 1024;

/** The headers of a BMP (Windows bitmaps of all versions). */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly compression: 'none' | 'rle8' | 'rle4' | 'masks';
  readonly isTopDown: boolean;
  /** Offset of the pixels. */
  readonly pixelsAt: number;
  /** Red, green, blue, one byte each, for every index. */
  readonly palette: readonly (readonly [number, number, number])[];
  /** Bit masks of red, green, blue and alpha; 0 without alpha. */
  readonly masks: readonly [number, number, number, number];
  /** Where its ICC profile is, in version 5. Chromaticities in the header are ignored, as browsers do. */
  readonly profile?: ByteRange | undefined;
}

const COMPRESSIONS: Readonly<Record<number, BmpHeader['compression']>> = { 0: 'none', 1: 'rle8', 2: 'rle4', 3: 'masks', 6: 'masks' };
const CORE_HEADER = 12;
const INFO_HEADER = 40;

/** Reads the headers from the first bytes of a file. */
export function readBmpHeader(head: Buffer): BmpHeader {
  if (head.length < 26) throw new DamagedImageError();
  const headerSize = head.readUInt32LE(14);
  const isCore = headerSize === CORE_HEADER;
  if (head.length < 14 + Math.max(headerSize, CORE_HEADER) || (!isCore && headerSize < INFO_HEADER)) throw new DamagedImageError();
  const height = isCore ? head.readUInt16LE(20) : head.readInt32LE(22);
  const bitsPerPixel = head.readUInt16LE(isCore ? 24 : 28);
  const compression = COMPRESSIONS[isCore ? 0 : head.readUInt32LE(30)];
  if (!compression || !isPossible(bitsPerPixel, compression)) {
    throw new UnsupportedImageError('This kind of BMP isn’t supported. Save it as PNG and try again.');
  }
  const masksAt = compression === 'masks' && headerSize === INFO_HEADER ? 12 : 0;
  return {
    width: isCore ? head.readUInt16LE(18) : head.readInt32LE(18),
    height: Math.abs(height),
    bitsPerPixel,
    compression,
    isTopDown: height < 0,
    pixelsAt: head.readUInt32LE(10),
    palette: readPalette(head, 14 + headerSize + masksAt, bitsPerPixel, isCore),
    masks: compression === 'masks' ? readMasks(head, headerSize) : defaultMasks(bitsPerPixel),
    profile: readProfilePlace(head, headerSize),
  };
}

const VERSION_5_HEADER = 124;
const EMBEDDED = 'DEBM';

/** Its offset counts from the second header. */
function readProfilePlace(head: Buffer, headerSize: number): ByteRange | undefined {
  if (headerSize < VERSION_5_HEADER || head.toString('latin1', 70, 74) !== EMBEDDED) return undefined;
  const from = 14 + head.readUInt32LE(126);
  return { from, to: from + head.readUInt32LE(130) };
}

function isPossible(bits: number, compression: BmpHeader['compression']): boolean {
  if (compression === 'rle8') return bits === 8;
  if (compression === 'rle4') return bits === 4;
  if (compression === 'masks') return bits === 16 || bits === 32;
  return [1, 4, 8, 16, 24, 32].includes(bits);
}

function readPalette(head: Buffer, at: number, bitsPerPixel: number, isCore: boolean): [number, number, number][] {
  if (bitsPerPixel > 8) return [];
  const used = isCore ? 0 : head.readUInt32LE(46);
  const count = used > 0 && used <= 2 ** bitsPerPixel ? used : 2 ** bitsPerPixel;
  const entryBytes = isCore ? 3 : 4;
  const available = Math.max(0, Math.min(count, Math.floor((head.length - at) / entryBytes)));
  return Array.from({ length: available }, (_, i) => {
    const entry = at + i * entryBytes;
    return [head.readUInt8(entry + 2), head.readUInt8(entry + 1), head.readUInt8(entry)];
  });
}

/** They follow the smallest header and are part of the larger ones, at the same offset. */
function readMasks(head: Buffer, headerSize: number): BmpHeader['masks'] {
  const hasAlpha = headerSize >= 56;
  if (head.length < 14 + INFO_HEADER + (hasAlpha ? 16 : 12)) throw new DamagedImageError();
  const mask = (index: number) => head.readUInt32LE(14 + INFO_HEADER + index * 4);
  return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0];
}

function defaultMasks(bitsPerPixel: number): BmpHeader['masks'] {
  return bitsPerPixel === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0x00ff00, 0x0000ff, 0];
}
