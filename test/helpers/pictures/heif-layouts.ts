import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { readHeifMeta } from '#server/platform/imaging/heif/meta.ts';
import { pick, type Random, shuffled } from '#test/helpers/random.ts';
import { isoBox, SECRET } from './private-metadata.ts';

/** A part of a file, before its place is known. */
export interface Segment {
  readonly bytes: Buffer;
}

export interface Place {
  readonly from: number;
  readonly to: number;
}

interface Item {
  readonly id: number;
  readonly type: string;
  /** In order; several items may have the same. */
  readonly extents: readonly Segment[];
  /** Counts from the beginning of `idat` instead of the file. */
  readonly isInTable?: boolean;
}

/** An AVIF or HEIC in an unusual layout. */
export interface Layout {
  readonly file: Buffer;
  /** Where the bytes of its pictures are. */
  readonly kept: readonly Place[];
  /** Whether its EXIF has bytes of a picture. */
  readonly isShared: boolean;
  /** What is unusual. */
  readonly what: string;
}

const EXIF = 901;
const THUMBNAIL = 902;
const BOXES = ['mdat', 'mdat', 'imda', 'free', 'skip', 'uuid', 'prVt'];

/**
 * Writes the pictures of a file again: in pieces, in any order, in boxes of any kind, in the table of contents, with or without EXIF and a
 * thumbnail that may share bytes with them, and a secret in everything else.
 */
export async function layOut(base: Buffer, random: Random): Promise<Layout> {
  const { meta, items } = await readHeif(base);
  const isInTable = random(5) === 0;
  const pictures = items.map(({ id, type, bytes }): Item => ({ id, type, extents: cut(bytes, random), isInTable }));
  const [primary] = pictures;
  if (!primary) throw new Error('There is no picture.');
  const exif = pick(random, ['none', 'own', 'own', 'own', 'shared'] as const);
  const thumbnail = pick(random, ['none', 'own', 'shared'] as const);
  const more: Item[] = [];
  if (exif !== 'none') {
    const own = [{ bytes: Buffer.from(`\0\0\0\0II*\0\x08\0\0\0\0\0${SECRET}`, 'latin1') }];
    more.push({ id: EXIF, type: 'Exif', extents: exif === 'own' ? own : primary.extents, isInTable: exif === 'shared' && isInTable });
  }
  if (thumbnail !== 'none') {
    const extents = thumbnail === 'own' ? primary.extents.map(({ bytes }) => ({ bytes: Buffer.from(bytes) })) : primary.extents;
    more.push({ id: THUMBNAIL, type: primary.type, extents, isInTable: thumbnail === 'shared' && isInTable });
  }
  const all = [...pictures, ...more];
  const segmentsWhere = (wanted: boolean) =>
    new Set(all.filter((item) => (item.isInTable ?? false) === wanted).flatMap(({ extents }) => extents));
  const boxes = distribute([...segmentsWhere(false)], random);
  const table = shuffled([...segmentsWhere(true), { bytes: Buffer.from(SECRET) }], random);
  const types = boxes.map(({ type }) => type);
  const at = random(boxes.length + 1);
  const { file, places } = write(meta, { all, boxes, table: isInTable ? table : [], at });
  const kept = pictures.flatMap(({ extents }) => extents.map((segment) => places.get(segment) as Place));
  return {
    file,
    kept,
    isShared: exif === 'shared',
    what: `${isInTable ? 'idat' : ''} ${types.join(' ')}, EXIF ${exif}, thumbnail ${thumbnail}, ${kept.length} extents`,
  };
}

/** What must stay of the table of contents, and the items with their bytes. */
export async function readHeif(base: Buffer) {
  await using bytes = await ImageBytes.open({ path: 'in memory', bytes: base });
  const { top, children, items, extents } = await readHeifMeta(bytes);
  const raw = (type: string) => children.filter((box) => box.type === type).map(({ from, to }) => base.subarray(from, to));
  const [ftyp] = top;
  const [iprp] = raw('iprp');
  const [iref] = raw('iref');
  if (!ftyp || !iprp) throw new Error('The file has no usual table of contents.');
  const content = (id: number) => Buffer.concat((extents.get(id) ?? []).map(({ from, to }) => base.subarray(from, to)));
  return {
    meta: {
      ftyp: base.subarray(ftyp.from, ftyp.to),
      hdlr: raw('hdlr'),
      pitm: raw('pitm'),
      iprp,
      references: iref?.subarray(12) ?? Buffer.alloc(0),
    },
    items: items.map(({ id, type }) => ({ id, type, bytes: content(id) })),
  };
}

type Meta = Awaited<ReturnType<typeof readHeif>>['meta'];

interface Contents {
  readonly all: readonly Item[];
  readonly boxes: readonly { type: string; segments: readonly Segment[] }[];
  readonly table: readonly Segment[];
  /** The number of boxes in front of the table of contents. */
  readonly at: number;
}

function write(meta: Meta, { all, boxes, table, at }: Contents): { file: Buffer; places: Map<Segment, Place> } {
  const written = boxes.map(({ type, segments }) => isoBox(type, ...segments.map(({ bytes }) => bytes)));
  const before = [meta.ftyp, ...written.slice(0, at)];
  const after = written.slice(at);
  const start = Buffer.concat(before).length;
  const places = new Map<Segment, Place>();
  const place = (segments: readonly Segment[], from: number) => {
    let next = from;
    for (const segment of segments) {
      places.set(segment, { from: next, to: next + segment.bytes.length });
      next += segment.bytes.length;
    }
  };
  const tableOf = () => tableOfContents(meta, all, table, places);
  const [length, idat] = [tableOf().length, tableOf().lastIndexOf('idat') + 4];
  let next = meta.ftyp.length;
  for (const [index, { segments }] of boxes.entries()) {
    if (index === at) next += length;
    place(segments, next + 8);
    next += written[index]?.length ?? 0;
  }
  place(table, 0);
  const file = Buffer.concat([...before, tableOf(), ...after]);
  if (table.length > 0) place(table, start + idat);
  return { file, places };
}

export function tableOfContents(meta: Meta, all: readonly Item[], table: readonly Segment[], places: ReadonlyMap<Segment, Place>): Buffer {
  const rows = all.map(({ id, extents, isInTable = false }) => {
    const numbers = extents.flatMap((segment) => [places.get(segment)?.from ?? 0, segment.bytes.length]);
    return Buffer.concat([shorts(id, isInTable ? 1 : 0, 0, extents.length), longs(...numbers)]);
  });
  const iloc = isoBox('iloc', Buffer.of(1, 0, 0, 0, 0x44, 0), shorts(all.length), ...rows);
  const entries = all.map(({ id, type }) => isoBox('infe', Buffer.of(2, 0, 0, 0), shorts(id, 0), Buffer.from(`${type}\0`)));
  const ids = new Set(all.map(({ id }) => id));
  const [first] = all;
  const references = [
    ...(ids.has(EXIF) ? [isoBox('cdsc', shorts(EXIF, 1, first?.id ?? 0))] : []),
    ...(ids.has(THUMBNAIL) ? [isoBox('thmb', shorts(THUMBNAIL, 1, first?.id ?? 0))] : []),
  ];
  const iref = isoBox('iref', Buffer.alloc(4), meta.references, ...references);
  return isoBox(
    'meta',
    Buffer.alloc(4),
    ...meta.hdlr,
    ...meta.pitm,
    iloc,
    isoBox('iinf', Buffer.alloc(4), shorts(all.length), ...entries),
    ids.has(THUMBNAIL) ? withProperties(meta.iprp, first?.id ?? 0, THUMBNAIL) : meta.iprp,
    ...(iref.length > 12 ? [iref] : []),
    ...(table.length > 0 ? [isoBox('idat', ...table.map(({ bytes }) => bytes))] : []),
  );
}

/** Gives another item the properties of an item. */
function withProperties(iprp: Buffer, id: number, other: number): Buffer {
  const at = iprp.indexOf('ipma') - 4;
  const ipma = iprp.subarray(at + 8);
  for (let from = 8; from < ipma.length; ) {
    const to = from + 3 + ipma.readUInt8(from + 2);
    if (ipma.readUInt16BE(from) === id) {
      const rows = Buffer.concat([ipma.subarray(8), shorts(other), ipma.subarray(from + 2, to)]);
      return isoBox('iprp', iprp.subarray(8, at), isoBox('ipma', ipma.subarray(0, 4), longs(ipma.readUInt32BE(4) + 1), rows));
    }
    from = to;
  }
  throw new Error('The item has no properties.');
}

/** Each box gets some of the segments, and a secret between them. */
function distribute(segments: readonly Segment[], random: Random): { type: string; segments: Segment[] }[] {
  const boxes = Array.from({ length: 1 + random(4) }, () => ({
    type: pick(random, BOXES),
    segments: [{ bytes: Buffer.from(SECRET) }] as Segment[],
  }));
  for (const segment of shuffled(segments, random)) {
    const { segments: inside } = pick(random, boxes);
    inside.push(segment);
    if (random(3) === 0) inside.push({ bytes: Buffer.from(SECRET) });
  }
  // A box of this type begins with its name.
  return boxes.map(({ type, segments: inside }) => ({
    type,
    segments: type === 'uuid' ? [{ bytes: Buffer.alloc(16, 7) }, ...inside] : inside,
  }));
}

function cut(bytes: Buffer, random: Random): Segment[] {
  const cuts = Array.from({ length: random(4) }, () => random(bytes.length)).sort((a, b) => a - b);
  return [0, ...cuts]
    .map((from, index) => ({ bytes: bytes.subarray(from, cuts[index] ?? bytes.length) }))
    .filter((segment) => segment.bytes.length > 0);
}

export function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, 2 * i);
  return bytes;
}

export function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}
