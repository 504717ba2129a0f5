import type { ByteRange, ImageBytes } from './bytes.ts';

/** The EXIF data that Pixdock reads before removing it. */
export interface ExifFacts {
  /** 1–8; 1 when absent or out of range. */
  readonly orientation: number;
  readonly takenAt?: Date;
}

const ORIENTATION = 0x0112;
const EXIF_IFD = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME = 0x9010;
const OFFSET_TIME_ORIGINAL = 0x9011;

const ASCII = 2;
const SHORT = 3;
const LONG = 4;

/** More entries than any camera writes in one directory; more means garbage. */
const MAX_ENTRIES = 1000;

/**
 * Reads the few tags that matter from a TIFF structure (EXIF 2.32, TIFF 6.0), which begins at `range.from`.
 * Never fails on broken EXIF: unreadable values are absent. It reads two directories and follows no chain, so its work is
 * bounded for any input.
 */
export async function readExif(file: ImageBytes, range: ByteRange): Promise<ExifFacts> {
  const tiff = await openTiff(file, range);
  if (!tiff) return { orientation: 1 };
  const main = await readDirectory(tiff, (await tiff.uint32(4)) ?? 0);
  const orientation = main.get(ORIENTATION);
  const details = main.get(EXIF_IFD);
  const camera = await readDirectory(tiff, typeof details === 'number' ? details : 0);
  const takenAt = parseExifTime(camera.get(DATE_TIME_ORIGINAL), camera.get(OFFSET_TIME_ORIGINAL) ?? camera.get(OFFSET_TIME));
  return { orientation: isOrientation(orientation) ? orientation : 1, ...(takenAt && { takenAt }) };
}

/** A complete EXIF block that holds only the orientation: 26 bytes of TIFF, without the “Exif” prefix. */
export function orientationOnlyExif(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(SHORT, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

function isOrientation(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= 8;
}

interface Tiff {
  uint16(at: number): Promise<number | undefined>;
  uint32(at: number): Promise<number | undefined>;
  text(at: number, length: number): Promise<string | undefined>;
}

async function openTiff(file: ImageBytes, { from, to }: ByteRange): Promise<Tiff | undefined> {
  const end = Math.min(to, file.size);
  const view = async (at: number, length: number) => (from + at + length <= end ? await file.at(from + at, length) : undefined);
  const mark = (await view(0, 4))?.toString('latin1');
  if (mark !== 'II*\0' && mark !== 'MM\0*') return undefined;
  const little = mark.startsWith('I');
  return {
    uint16: async (at) => (little ? (await view(at, 2))?.readUInt16LE() : (await view(at, 2))?.readUInt16BE()),
    uint32: async (at) => (little ? (await view(at, 4))?.readUInt32LE() : (await view(at, 4))?.readUInt32BE()),
    text: async (at, length) => (await view(at, length))?.toString('latin1'),
  };
}

/** The single numbers and short texts of a directory, by tag. */
async function readDirectory(tiff: Tiff, at: number): Promise<Map<number, number | string>> {
  const values = new Map<number, number | string>();
  const count = at > 0 ? ((await tiff.uint16(at)) ?? 0) : 0;
  for (let i = 0; i < Math.min(count, MAX_ENTRIES); i++) {
    const entry = at + 2 + i * 12;
    const tag = await tiff.uint16(entry);
    if (tag === undefined) break;
    const value = await readValue(tiff, entry);
    if (value !== undefined) values.set(tag, value);
  }
  return values;
}

async function readValue(tiff: Tiff, entry: number): Promise<number | string | undefined> {
  const type = await tiff.uint16(entry + 2);
  const length = (await tiff.uint32(entry + 4)) ?? 0;
  if (type === SHORT && length === 1) return tiff.uint16(entry + 8);
  if (type === LONG && length === 1) return tiff.uint32(entry + 8);
  if (type !== ASCII || length > 64) return undefined;
  return tiff.text(length <= 4 ? entry + 8 : ((await tiff.uint32(entry + 8)) ?? 0), length);
}

/**
 * EXIF writes `2024:05:06 07:08:09`, and the offset from UTC separately, if at all. Without an offset this computer's time
 * zone applies: most photos were taken where their photographer lives.
 */
function parseExifTime(time: unknown, offset: unknown): Date | undefined {
  if (typeof time !== 'string') return undefined;
  const parts = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(time);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const zone = typeof offset === 'string' ? (/^[+-]\d\d:\d\d/.exec(offset)?.[0] ?? '') : '';
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
