import type { ByteRange, ImageBytes } from '../bytes.ts';
import { decodeText, MAX_FIELD_BYTES, type Rights, rightsOf } from './rights.ts';

/** The metadata that Pixdock reads before removing all of it. */
export interface Metadata {
  /** 1–8; 1 when absent or out of range. */
  readonly orientation: number;
  /** The capture time. */
  readonly takenAt?: Date | undefined;
  /** Artist and copyright. */
  readonly rights: Rights;
}

export const NO_METADATA: Metadata = { orientation: 1, rights: {} };

const ORIENTATION = 0x0112;
const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
const EXIF_IFD = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME = 0x9010;
const OFFSET_TIME_ORIGINAL = 0x9011;
const TEXTS = new Set([DATE_TIME_ORIGINAL, OFFSET_TIME, OFFSET_TIME_ORIGINAL]);

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
/** Since EXIF 3.0. */
const UTF8 = 129;

/** More entries than any camera writes in one directory; more means garbage. */
const MAX_ENTRIES = 1000;
const ENTRY_BYTES = 12;

/**
 * Reads the few tags that matter from a TIFF structure (EXIF 2.32, TIFF 6.0), which begins at `range.from`.
 * Never fails on broken EXIF: unreadable values are absent. It reads two directories and follows no chain, so its work is
 * bounded for any input.
 */
export async function readExif(file: ImageBytes, range: ByteRange): Promise<Metadata> {
  const tiff = await openTiff(file, range);
  if (!tiff) return NO_METADATA;
  const entries = await tiff.entries(await tiff.first());
  const main = await readValues(tiff, entries);
  const orientation = main.get(ORIENTATION);
  const details = main.get(EXIF_IFD);
  const camera = await readValues(tiff, await tiff.entries(typeof details === 'number' ? details : 0));
  const takenAt = parseExifTime(camera.get(DATE_TIME_ORIGINAL), camera.get(OFFSET_TIME_ORIGINAL) ?? camera.get(OFFSET_TIME));
  const textsOf = async (tag: number) =>
    readTexts(
      tiff,
      entries.find((entry) => entry.tag === tag),
    );
  const rights = rightsOf(await textsOf(ARTIST), await textsOf(COPYRIGHT));
  return { orientation: isOrientation(orientation) ? orientation : 1, takenAt, rights };
}

/** The copyright may have two parts with a zero between them: that of the photographer and that of the editor. */
async function readTexts(tiff: Tiff, entry: Entry | undefined): Promise<string[]> {
  if (!entry) return [];
  const { type, length, long, at } = entry;
  if ((type !== ASCII && type !== UTF8) || length > MAX_FIELD_BYTES) return [];
  const text = await tiff.text(length <= 4 ? at : long, length);
  return text === undefined ? [] : decodeText(Buffer.from(text, 'latin1')).split('\0');
}

/**
 * A complete EXIF block, without the “Exif” prefix, that holds only the orientation, unless it is 1, and the rights.
 * @returns undefined if there is nothing to hold
 */
export function keptExif(orientation: number, { artist, copyright }: Rights = {}): Buffer | undefined {
  const entries: { tag: number; type: number; data: Buffer }[] = [];
  if (orientation !== 1) entries.push({ tag: ORIENTATION, type: SHORT, data: Buffer.of(0, orientation) });
  // Readers expect UTF-8 in ASCII fields; few know the type for it.
  if (artist) entries.push({ tag: ARTIST, type: ASCII, data: Buffer.from(`${artist}\0`) });
  if (copyright) entries.push({ tag: COPYRIGHT, type: ASCII, data: Buffer.from(`${copyright}\0`) });
  if (entries.length === 0) return undefined;
  const directory = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  directory.write('MM\0*', 'latin1');
  directory.writeUInt32BE(8, 4);
  directory.writeUInt16BE(entries.length, 8);
  const texts: Buffer[] = [];
  let end = directory.length;
  for (const [i, { tag, type, data }] of entries.entries()) {
    const at = 10 + i * 12;
    directory.writeUInt16BE(tag, at);
    directory.writeUInt16BE(type, at + 2);
    directory.writeUInt32BE(type === SHORT ? 1 : data.length, at + 4);
    if (data.length <= 4) data.copy(directory, at + 8);
    else {
      directory.writeUInt32BE(end, at + 8);
      // Values begin at even offsets.
      texts.push(data, Buffer.alloc(data.length % 2));
      end += data.length + (data.length % 2);
    }
  }
  return Buffer.concat([directory, ...texts]);
}

function isOrientation(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= 8;
}

interface Entry {
  tag: number;
  type: number;
  length: number;
  /** The first two and all four bytes of its value, which has more elsewhere. */
  short: number;
  long: number;
  /** Where those four bytes are. */
  at: number;
}

interface Tiff {
  /** The position of the first directory. */
  first(): Promise<number>;
  /** The complete entries of the directory at a position; none at 0. */
  entries(at: number): Promise<Entry[]>;
  text(at: number, length: number): Promise<string | undefined>;
}

async function openTiff(file: ImageBytes, { from, to }: ByteRange): Promise<Tiff | undefined> {
  const end = Math.min(to, file.size);
  const view = async (at: number, length: number) => (from + at + length <= end ? await file.at(from + at, length) : undefined);
  const mark = (await view(0, 4))?.toString('latin1');
  if (mark !== 'II*\0' && mark !== 'MM\0*') return undefined;
  const little = mark.startsWith('I');
  const uint16 = (bytes: Buffer, at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const uint32 = (bytes: Buffer, at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return {
    async first() {
      const bytes = await view(4, 4);
      return bytes ? uint32(bytes, 0) : 0;
    },
    async entries(at) {
      const announced = at > 0 ? await view(at, 2) : undefined;
      if (!announced) return [];
      const start = at + 2;
      const count = Math.min(uint16(announced, 0), MAX_ENTRIES, Math.floor((end - from - start) / ENTRY_BYTES));
      const bytes = await file.at(from + start, count * ENTRY_BYTES);
      return Array.from({ length: count }, (_, i) => {
        const entry = i * ENTRY_BYTES;
        const [tag, type, length] = [uint16(bytes, entry), uint16(bytes, entry + 2), uint32(bytes, entry + 4)];
        return { tag, type, length, short: uint16(bytes, entry + 8), long: uint32(bytes, entry + 8), at: start + entry + 8 };
      });
    },
    text: async (at, length) => (await view(at, length))?.toString('latin1'),
  };
}

/** The single numbers and the texts that matter of a directory, by tag. */
async function readValues(tiff: Tiff, entries: readonly Entry[]): Promise<Map<number, number | string>> {
  const values = new Map<number, number | string>();
  for (const entry of entries) {
    const value = await readValue(tiff, entry);
    if (value !== undefined) values.set(entry.tag, value);
  }
  return values;
}

function readValue(tiff: Tiff, { tag, type, length, short, long, at }: Entry): number | undefined | Promise<string | undefined> {
  if (type === SHORT && length === 1) return short;
  if (type === LONG && length === 1) return long;
  if (type !== ASCII || length > 64 || !TEXTS.has(tag)) return undefined;
  return tiff.text(length <= 4 ? at : long, length);
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
