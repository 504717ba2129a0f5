import { canBeTaken, MIN_TAKEN_YEAR } from '#api/images/taken-at.ts';
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

/** The times that a picture can have, the best first: when it was taken, digitised or, by this file's program, changed. Each with its offset from UTC. */
const TIMES = [
  { time: 0x9003, offset: 0x9011 },
  { time: 0x9004, offset: 0x9012 },
  { time: 0x0132, offset: 0x9010 },
] as const;
/** A camera has one clock: where a time has no offset of its own, another one applies. */
const OFFSETS = [0x9011, 0x9010, 0x9012];
/** Kiribati is 14 hours ahead. */
const MAX_OFFSET_MINUTES = 14 * 60;
/** Longer than any time or offset. */
const MAX_TIME_BYTES = 64;

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const IFD = 13;
/** Since EXIF 3.0. */
const UTF8 = 129;
const TEXT_TYPES = new Set([ASCII, UTF8]);
const POINTERS = new Set([SHORT, LONG, IFD]);

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
  const details = entries.find(({ tag, type, length }) => tag === EXIF_IFD && POINTERS.has(type) && length === 1);
  const camera = details ? await tiff.entries(details.type === SHORT ? details.short : details.long) : [];
  const takenAt = await readTime(tiff, [...camera, ...entries]);
  const textsOf = async (tag: number) =>
    readTexts(
      tiff,
      entries.find((entry) => entry.tag === tag),
    );
  const rights = rightsOf(await textsOf(ARTIST), await textsOf(COPYRIGHT));
  return { orientation: orientationIn([...entries, ...camera]), takenAt, rights };
}

/** As in browsers, the first one counts that is valid, also one among the camera's entries, where programs don't look for it. */
function orientationIn(entries: readonly Entry[]): number {
  const isValid = ({ tag, type, length, short }: Entry) =>
    tag === ORIENTATION && type === SHORT && length === 1 && short >= 1 && short <= 8;
  return entries.find(isValid)?.short ?? 1;
}

/** The first time that can be read, with the first offset that can. */
async function readTime(tiff: Tiff, entries: readonly Entry[]): Promise<Date | undefined> {
  const textsOf = async (...tags: number[]) => {
    const texts: string[] = [];
    for (const entry of tags.flatMap((wanted) => entries.filter(({ tag }) => tag === wanted)))
      if (TEXT_TYPES.has(entry.type) && entry.length <= MAX_TIME_BYTES) texts.push((await readText(tiff, entry)) ?? '');
    return texts;
  };
  for (const { time, offset } of TIMES) {
    const offsets = await textsOf(offset, ...OFFSETS);
    const date = (await textsOf(time)).map((text) => parseExifTime(text, offsets)).find((found) => found !== undefined);
    if (date) return date;
  }
  return undefined;
}

/** The copyright may have two parts with a zero between them: that of the photographer and that of the editor. */
async function readTexts(tiff: Tiff, entry: Entry | undefined): Promise<string[]> {
  if (!entry || !TEXT_TYPES.has(entry.type) || entry.length > MAX_FIELD_BYTES) return [];
  const text = await readText(tiff, entry);
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

const readText = (tiff: Tiff, { length, long, at }: Entry) => tiff.text(length <= 4 ? at : long, length);

/** Programs also write ISO 8601, slashes, one-digit hours, no seconds, or fractions of them. The rest may be an offset. */
const TIME = /^\s*(\d{4})[:/.-](\d\d?)[:/.-](\d\d?)[T\s]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?([^\0]*)/;

/**
 * EXIF writes `2024:05:06 07:08:09`, and the offset from UTC separately, if at all. Without an offset this computer's time
 * zone applies: most photos were taken where their photographer lives.
 * @returns undefined also for a time at which nothing can have been photographed, such as that of a clock that was never set
 */
function parseExifTime(text: string, offsets: readonly string[]): Date | undefined {
  const parts = TIME.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const offset = [parts[7] ?? '', ...offsets].map(parseOffset).find((minutes) => minutes !== undefined);
  // 31 February would become 3 March, and the year 1 the year 1901.
  const midnight = new Date(Date.UTC(year, month - 1, day));
  const isDay = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (year < MIN_TAKEN_YEAR || !isDay || hour > 24 || minute > 59) return undefined;
  const date =
    offset === undefined
      ? new Date(year, month - 1, day, hour, minute, second)
      : new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second));
  return canBeTaken(date.getTime()) ? date : undefined;
}

/** Minutes that local time is ahead of UTC, from texts such as `+02:00`, `-0330`, `+2` and `Z`. */
function parseOffset(text: string): number | undefined {
  const parts = /^\s*(?:(Z|UTC|GMT)|([+-])(\d\d?):?([0-5]\d)?)\s*(?:\0|$)/i.exec(text);
  if (!parts) return undefined;
  const [, utc, sign, hours, minutes] = parts;
  const ahead = utc ? 0 : Number(hours) * 60 + Number(minutes ?? 0);
  return ahead > MAX_OFFSET_MINUTES ? undefined : sign === '-' ? -ahead : ahead;
}
