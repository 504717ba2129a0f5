import type { ImageBytes } from '../bytes.ts';
import type { Ranges } from '../ranges.ts';
import { after, handlerPatches, isProperty, needlessPatches, propertyPatches } from './avif-fields.ts';
import { addPatches, emptied, type Patch } from './avif-patches.ts';
import { type Box, readBoxes } from './boxes.ts';

/** What players need in each box (ISO/IEC 14496-12). */
const NEEDED: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: new Set(['mvhd', 'trak', 'mvex']),
  trak: new Set(['tkhd', 'edts', 'tref', 'mdia']),
  mdia: new Set(['mdhd', 'hdlr', 'minf']),
  minf: new Set(['vmhd', 'nmhd', 'dinf', 'stbl']),
  stbl: new Set('stsd stts ctts stsc stsz stz2 stco co64 stss sdtp sgpd sbgp subs saiz saio cslg'.split(' ')),
};
/** What decoders need in a description of pictures. */
const NEEDED_IN_DESCRIPTION = new Set(['av1C', 'colr', 'pasp', 'clap', 'irot', 'imir', 'clli', 'mdcv', 'cclv', 'amve', 'auxi', 'ccst']);
/** Headers that begin with the times of creation and of the last change, in seconds: their lengths, and those with times of eight bytes. */
const TIMED: Readonly<Record<string, readonly [number, number]>> = { mvhd: [100, 112], tkhd: [84, 96], mdhd: [24, 36] };
/** Version and flags, and the number of entries of four bytes each in these tables. */
const TABLES: Readonly<Record<string, number>> = { stts: 2, ctts: 2, stsc: 3, stco: 1, co64: 2, stss: 1 };
/** Version, flags and the number of entries. */
const TABLE_HEAD = 8;
/** The fixed part of a description of pictures (ISO/IEC 14496-12 §12.1.3), and in it, the name of a program. */
const PICTURE_HEAD = 78;
const PROGRAM = { from: 42, to: 74 };

/**
 * Image sequences keep user data, metadata, times and colour profiles in the movie and in its tracks.
 * @param used the data of pictures
 */
export async function moviePatches(file: ImageBytes, movie: Box, used: Ranges): Promise<Patch[]> {
  const patches: Patch[] = [];
  const needed = NEEDED[movie.type] as ReadonlySet<string>;
  for (const box of await readBoxes(file, movie.body, movie.to)) {
    if (!needed.has(box.type)) addPatches(patches, emptied(box, used));
    else if (box.type in NEEDED) addPatches(patches, await moviePatches(file, box, used));
    else addPatches(patches, await contentPatches(file, box, used));
  }
  return patches;
}

async function contentPatches(file: ImageBytes, box: Box, used: Ranges): Promise<Patch[]> {
  const { type, body, to } = box;
  if (type in TIMED) return timePatches(file, box);
  if (type === 'hdlr') return handlerPatches(box);
  if (type === 'stsd') return descriptionPatches(file, box, used);
  const words = TABLES[type];
  if (words === undefined || to - body < TABLE_HEAD) return [];
  return after(box, TABLE_HEAD + 4 * words * (await file.at(body + 4, 4)).readUInt32BE());
}

async function timePatches(file: ImageBytes, box: Box): Promise<Patch[]> {
  const isLong = (await file.at(box.body, 1)).readUInt8() === 1;
  const [short, long] = TIMED[box.type] as readonly [number, number];
  const from = box.body + 4;
  return [{ from, to: Math.min(box.to, from + (isLong ? 16 : 8)) }, ...after(box, isLong ? long : short)];
}

async function descriptionPatches(file: ImageBytes, box: Box, used: Ranges): Promise<Patch[]> {
  if (box.to - box.body < TABLE_HEAD) return [];
  const patches: Patch[] = [];
  for (const entry of await readBoxes(file, box.body + TABLE_HEAD, box.to)) {
    if (entry.type !== 'av01' || entry.to - entry.body < PICTURE_HEAD) continue;
    addPatches(patches, [{ from: entry.body + PROGRAM.from, to: entry.body + PROGRAM.to }]);
    const properties = await readBoxes(file, entry.body + PICTURE_HEAD, entry.to);
    addPatches(patches, needlessPatches(properties, NEEDED_IN_DESCRIPTION, used));
    for (const property of properties)
      if (NEEDED_IN_DESCRIPTION.has(property.type) && isProperty(property))
        addPatches(patches, await propertyPatches(file, property, used));
  }
  return patches;
}
