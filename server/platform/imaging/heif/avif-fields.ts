import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Ranges } from '../ranges.ts';
import { addPatches, emptied, FREE, type Patch, profilePatches } from './avif-patches.ts';
import type { Box } from './boxes.ts';
import type { HeifReference } from './meta.ts';
import { obuPatches } from './obus.ts';

// What boxes that stay may hold beside what readers read: fields become zeros, and boxes that no reader needs become free space.

/** Brands of AVIFs, and of what they are derived from. */
const BRANDS = new Set(
  'avif avis avio mif1 mif2 msf1 miaf MA1A MA1B heic heix iso2 iso3 iso4 iso5 iso6 iso8 iso9 isoa isom mp41 mp42 tmap av01'.split(' '),
);

/** The lengths of properties (ISO/IEC 23008-12 §6.5; AV1 Image File Format); undefined: as long as they are. */
const PROPERTIES: Readonly<Record<string, number | undefined>> = {
  ...{ ispe: 12, pasp: 8, irot: 1, imir: 1, clap: 32, clli: 4, mdcv: 24, a1op: 1, lsel: 2, rloc: 12, amve: 8 },
  ...{
    pixi: undefined,
    colr: undefined,
    av1C: undefined,
    auxC: undefined,
    a1lx: undefined,
    cclv: undefined,
    ndwt: undefined,
    iscl: undefined,
  },
  ...{ hvcC: undefined, avcC: undefined, vvcC: undefined, jpgC: undefined, lhvC: undefined },
};
/** Of colours that are described by codes: their kind, three codes and a flag. */
const CODED_COLOURS_LENGTH = 11;
/** Version and flags, or the profile, level and format of AV1. */
const HEAD_LENGTH = 4;

/** What auxiliary pictures are, by their names up to a zero. */
const AUXILIARIES = [
  'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha',
  'urn:mpeg:mpegB:cicp:systems:auxiliary:depth',
  'urn:mpeg:hevc:2015:auxid:1',
  'urn:mpeg:hevc:2015:auxid:2',
  'urn:com:photo:aux:hdrgainmap',
  'urn:com:apple:photo:2020:aux:hdrgainmap',
];

/** Overwrites unknown brands with the first one; the version in front of them means nothing. */
export async function brandPatches(file: ImageBytes, { body, to }: Box): Promise<Patch[]> {
  if (to - body < 8) return [];
  const major = Buffer.from(await file.at(body, 4));
  const patches: Patch[] = [{ from: body + 4, to: body + 8 }];
  for (let at = body + 8; at < to; at += 4) {
    const brand = at + 4 <= to ? (await file.at(at, 4)).toString('latin1') : '';
    if (!BRANDS.has(brand)) addPatches(patches, [{ from: at, to: Math.min(to, at + 4), bytes: major.subarray(0, to - at) }]);
  }
  return patches;
}

/** Of a handler, only its kind matters: not its name, nor what is reserved. */
export function handlerPatches({ body, to }: Box): Patch[] {
  return [
    { from: body + 4, to: Math.min(to, body + 8) },
    { from: body + 12, to },
  ].filter((patch) => patch.from < patch.to);
}

/** Empties boxes inside of another one that no reader needs. */
export function needlessPatches(boxes: readonly Box[], needed: ReadonlySet<string>, used: Ranges): Patch[] {
  return boxes.filter(({ type }) => !needed.has(type)).flatMap((box) => emptied(box, used));
}

/**
 * Turns a reference of an unknown kind into one from the primary picture to itself, of a kind that no reader knows. They reject one without items.
 */
export function referencePatches({ box, idBytes, to }: HeifReference, primary = 0): Patch[] {
  const ids = Buffer.alloc(idBytes + 2 + idBytes * to.length);
  ids.writeUIntBE(primary, 0, idBytes);
  ids.writeUInt16BE(to.length, idBytes);
  for (const index of to.keys()) ids.writeUIntBE(primary, idBytes + 2 + idBytes * index, idBytes);
  return [
    { from: box.from + 4, to: box.from + 8, bytes: FREE },
    { from: box.body, to: box.body + ids.length, bytes: ids },
  ];
}

/** Whether a property has a known length or meaning. */
export const isProperty = ({ type }: Box): boolean => type in PROPERTIES;

/** What stays of a property of a picture. */
export async function propertyPatches(file: ImageBytes, box: Box, used: Ranges): Promise<Patch[]> {
  const { type, body, to } = box;
  if (!isProperty(box)) return emptied(box, used);
  const length = PROPERTIES[type];
  if (length !== undefined) return after(box, length);
  const head = await file.at(body, Math.min(to - body, 64));
  if (type === 'colr') return head.toString('latin1', 0, 4) === 'nclx' ? after(box, CODED_COLOURS_LENGTH) : profilePatches(file, box, used);
  if (type === 'av1C') return to - body <= HEAD_LENGTH ? [] : obuPatches(file, { from: body + HEAD_LENGTH, to });
  if (type === 'pixi') return after(box, HEAD_LENGTH + 1 + (head[HEAD_LENGTH] ?? 0));
  if (type === 'a1lx') return after(box, 1 + 3 * (((head[0] ?? 0) & 1) === 1 ? 4 : 2));
  if (type === 'auxC') {
    const name = AUXILIARIES.find((one) => head.toString('latin1', HEAD_LENGTH).startsWith(`${one}\0`));
    return after(box, HEAD_LENGTH + (name ? name.length + 1 : 0));
  }
  return [];
}

/** What follows the fields of a box. */
export function after({ body, to }: Box, length: number): Patch[] {
  return body + length < to ? [{ from: body + length, to }] : [];
}

/** A grid's columns, rows and size, in two or four bytes (ISO/IEC 23008-12 §6.6.2.3). */
export async function gridPatches(file: ImageBytes, { from, to }: ByteRange): Promise<Patch[]> {
  if (to - from < 2) return [];
  const length = ((await file.at(from, 2)).readUInt8(1) & 1) === 1 ? 12 : 8;
  return from + length < to ? [{ from: from + length, to }] : [];
}
