import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { type Box, Cursor, parseBoxes, readBoxes } from './boxes.ts';

/** An item of a HEIF file (ISO/IEC 23008-12): a picture, a tile of one, or metadata. */
export interface HeifItem {
  readonly id: number;
  /** `av01`, `hvc1`, `grid`, `Exif`, `mime`, … */
  readonly type: string;
  /** Its entry in the item information box. */
  readonly entry: Box;
  /** Offset of its type; name and content type follow up to the end of the entry. */
  readonly typeAt: number;
}

export interface HeifReference {
  readonly type: string;
  readonly box: Box;
  /** Bytes of each number of an item. */
  readonly idBytes: number;
  readonly from: number;
  readonly to: readonly number[];
}

/** The table of contents of an AVIF or HEIC file. */
export interface HeifMeta {
  readonly top: readonly Box[];
  /** The boxes inside the table of contents. */
  readonly children: readonly Box[];
  readonly items: readonly HeifItem[];
  readonly primary: number | undefined;
  /** The ranges of an item's bytes in the file. */
  readonly extents: ReadonlyMap<number, readonly ByteRange[]>;
  readonly references: readonly HeifReference[];
  /** All properties in file order. Associations count them from 1. */
  readonly properties: readonly Box[];
  /** The properties of each item. */
  readonly associations: ReadonlyMap<number, readonly number[]>;
  /** Bytes of the tables that say nothing about pictures: names of items, and what follows the last entry. */
  readonly slack: readonly ByteRange[];
  /** Whether all readers find the same items and bytes here: nothing occurs twice, and the items are in this file, each in a place of its own. */
  readonly isPlain: boolean;
}

/** Real tables of contents take a few kilobytes, those of huge tiled images a few hundred. */
const MAX_META_BYTES = 4 * 1024 * 1024;

/** Extents, references and associations may take few bytes in the file or none, so the number of each needs its own limit. */
const MAX_ENTRIES = 50_000;

/** The boxes that say which items there are, and where. */
const TABLES = new Set(['pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat']);

/** Reads the table of contents. Without one (a pure image sequence) the lists are empty. */
export async function readHeifMeta(file: ImageBytes): Promise<HeifMeta> {
  const top = await readBoxes(file, 0, file.size);
  const meta = top.find((box) => box.type === 'meta');
  if (!meta) {
    return {
      top,
      children: [],
      items: [],
      primary: undefined,
      extents: new Map(),
      references: [],
      properties: [],
      associations: new Map(),
      slack: [],
      isPlain: true,
    };
  }
  if (meta.to - meta.from > MAX_META_BYTES) throw new DamagedImageError();
  const part = await file.copy(meta);
  const open = (range: ByteRange) => new Cursor(part, meta.from, range);
  const inner = (from: number, to: number) => parseBoxes(part, meta.from, from, to);
  const children = inner(meta.body + 4, meta.to);
  const child = (type: string, among: readonly Box[] = children) => among.find((box) => box.type === type);
  const iinf = child('iinf');
  const iloc = child('iloc');
  const pitm = child('pitm');
  const iref = child('iref');
  const iprp = child('iprp');
  const slack: ByteRange[] = [];
  /** Reads a table, and notes what follows it. */
  const read = <T>(table: Box, reader: (cursor: Cursor) => T) => {
    const cursor = open({ from: table.body, to: table.to });
    const result = reader(cursor);
    slack.push({ from: cursor.at, to: table.to });
    return result;
  };
  const items = iinf ? readItems(open, inner, iinf, slack) : [];
  const locations = iloc && read(iloc, (cursor) => readLocations(cursor, child('idat'), file.size));
  const propertyBoxes = iprp ? inner(iprp.body, iprp.to) : [];
  const ipco = child('ipco', propertyBoxes);
  return {
    top,
    children,
    items,
    primary: pitm && read(pitm, readPrimary),
    extents: locations?.extents ?? new Map(),
    references: iref ? readReferences(open, inner, iref, read) : [],
    properties: ipco ? inner(ipco.body, ipco.to) : [],
    associations: readAssociations(
      propertyBoxes.filter((box) => box.type === 'ipma'),
      read,
    ),
    slack,
    isPlain:
      top.filter(({ type }) => type === 'meta').length === 1 &&
      areUnique(children.map(({ type }) => type).filter((type) => TABLES.has(type))) &&
      areUnique(items.map(({ id }) => id)) &&
      (locations?.arePlain ?? true),
  };
}

const areUnique = (values: readonly unknown[]) => new Set(values).size === values.length;

/** The properties of an item, in their order. */
export function propertiesOf(meta: HeifMeta, item: number): Box[] {
  return (meta.associations.get(item) ?? []).flatMap((index) => meta.properties[index - 1] ?? []);
}

type Open = (range: ByteRange) => Cursor;
type Inner = (from: number, to: number) => Box[];

type Read = <T>(table: Box, reader: (cursor: Cursor) => T) => T;

function readItems(open: Open, inner: Inner, iinf: Box, slack: ByteRange[]): HeifItem[] {
  const version = open({ from: iinf.body, to: iinf.to }).version();
  const entries = inner(iinf.body + 4 + (version === 0 ? 2 : 4), iinf.to);
  return entries.flatMap((entry) => {
    slack.push({ from: entry.body, to: entry.to });
    if (entry.type !== 'infe') return [];
    const cursor = open({ from: entry.body, to: entry.to });
    const entryVersion = cursor.version();
    if (entryVersion < 2) return [];
    slack.pop();
    const id = cursor.uint(entryVersion === 2 ? 2 : 4);
    cursor.uint(2);
    const typeAt = cursor.at;
    const type = cursor.text(4);
    slack.push({ from: cursor.at, to: entry.to });
    return [{ id, type, entry, typeAt }];
  });
}

/** @throws DamagedImageError when a list has more entries than any picture needs */
function countEntries(): (more: number) => void {
  let entries = 0;
  return (more) => {
    entries += more;
    if (entries > MAX_ENTRIES) throw new DamagedImageError();
  };
}

function readPrimary(cursor: Cursor): number {
  return cursor.uint(cursor.version() === 0 ? 2 : 4);
}

interface Locations {
  readonly extents: Map<number, ByteRange[]>;
  /** Whether each item has one entry, and its bytes are in this file. */
  readonly arePlain: boolean;
}

function readLocations(cursor: Cursor, idat: Box | undefined, fileSize: number): Locations {
  const version = cursor.version();
  const sizes = cursor.uint(2);
  const [offsetSize = 0, lengthSize = 0, baseSize = 0, indexSize = 0] = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 15);
  const locations = new Map<number, ByteRange[]>();
  const addEntries = countEntries();
  let arePlain = true;
  const count = cursor.uint(version < 2 ? 2 : 4);
  for (let i = 0; i < count; i++) {
    const id = cursor.uint(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : cursor.uint(2) & 15;
    const source = cursor.uint(2);
    arePlain &&= source === 0 && method < 2 && !locations.has(id);
    const start = cursor.uint(baseSize) + (method === 1 ? (idat?.body ?? fileSize) : 0);
    const limit = method === 1 ? (idat?.to ?? fileSize) : fileSize;
    // With method 2 the bytes are part of another item.
    const ranges = (method < 2 && locations.get(id)) || [];
    const extentCount = cursor.uint(2);
    addEntries(1 + extentCount);
    for (let left = extentCount; left > 0; left--) {
      if (version > 0) cursor.uint(indexSize);
      const from = start + cursor.uint(offsetSize);
      const length = cursor.uint(lengthSize);
      if (from + length > limit) throw new DamagedImageError();
      ranges.push({ from, to: length === 0 ? limit : from + length });
    }
    if (method < 2) locations.set(id, ranges);
  }
  return { extents: locations, arePlain };
}

function readReferences(open: Open, inner: Inner, iref: Box, read: Read): HeifReference[] {
  const idSize = open({ from: iref.body, to: iref.to }).version() === 0 ? 2 : 4;
  const addEntries = countEntries();
  return inner(iref.body + 4, iref.to).map((box) =>
    read(box, (cursor) => {
      const from = cursor.uint(idSize);
      const count = cursor.uint(2);
      addEntries(1 + count);
      const to = Array.from({ length: count }, () => cursor.uint(idSize));
      return { type: box.type, box, idBytes: idSize, from, to };
    }),
  );
}

function readAssociations(tables: readonly Box[], read: Read): Map<number, number[]> {
  const associations = new Map<number, number[]>();
  const addEntries = countEntries();
  const readTable = (cursor: Cursor) => {
    const version = cursor.uint(1);
    const isWide = (cursor.uint(3) & 1) === 1;
    for (let left = cursor.uint(4); left > 0; left--) {
      const id = cursor.uint(version === 0 ? 2 : 4);
      const count = cursor.uint(1);
      addEntries(1 + count);
      const indexes = Array.from({ length: count }, () => cursor.uint(isWide ? 2 : 1) & (isWide ? 0x7fff : 0x7f));
      associations.set(id, indexes);
    }
  };
  for (const table of tables) read(table, readTable);
  return associations;
}
