import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Ranges } from '../ranges.ts';
import { after, handlerPatches, isProperty, needlessPatches, propertyPatches } from './avif-fields.ts';
import { addPatches, emptied, type Patch } from './avif-patches.ts';
import { type Box, descend, readBoxes } from './boxes.ts';

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

/** A table of more bytes belongs to a movie, not to a picture. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;
const MAX_CHUNKS = 50_000;
/** Auxiliary data of samples, which these tables don't cover. */
const UNKNOWN = new Set(['saio', 'saiz', 'stz2']);

/**
 * The ranges in the file of all samples of a movie's tracks (ISO/IEC 14496-12 §8.7), chunk by chunk.
 * @returns undefined where they aren't certain, such as in tracks without a complete table
 */
export async function sampleRanges(file: ImageBytes, movie: Box): Promise<ByteRange[] | undefined> {
  const ranges: ByteRange[] = [];
  const tracks = (await readBoxes(file, movie.body, movie.to)).filter(({ type }) => type === 'trak');
  for (const track of tracks) {
    const table = await descend(file, track, ['mdia', 'minf', 'stbl']);
    const chunks = table && (await chunksOf(file, table));
    if (!chunks || ranges.length + chunks.length > MAX_CHUNKS) return undefined;
    ranges.push(...chunks);
  }
  return ranges.every(({ to }) => to <= file.size) ? ranges : undefined;
}

async function chunksOf(file: ImageBytes, table: Box): Promise<ByteRange[] | undefined> {
  const boxes = await readBoxes(file, table.body, table.to);
  if (boxes.some(({ type }) => UNKNOWN.has(type))) return undefined;
  const content = async (type: string) => {
    const box = boxes.find((child) => child.type === type);
    return box && box.to - box.body <= MAX_TABLE_BYTES ? file.copy({ from: box.body, to: box.to }) : undefined;
  };
  const [sizes, runs, short, long] = [await content('stsz'), await content('stsc'), await content('stco'), await content('co64')];
  const offsets = short ? offsetsIn(short, 4) : long && offsetsIn(long, 8);
  if (!sizes || !runs || !offsets) return undefined;
  const lengthOf = sampleLengths(sizes);
  const samplesIn = samplesPerChunk(runs);
  if (!lengthOf || !samplesIn) return undefined;
  const chunks: ByteRange[] = [];
  let sample = 0;
  for (const [index, from] of offsets.entries()) {
    const count = samplesIn(index + 1);
    const length = count === undefined ? undefined : lengthOf(sample, count);
    if (count === undefined || length === undefined) return undefined;
    chunks.push({ from, to: from + length });
    sample += count;
  }
  return chunks;
}

/** After version, flags and the number of chunks. */
function offsetsIn(box: Buffer, width: 4 | 8): number[] | undefined {
  const count = box.length < 8 ? 0 : box.readUInt32BE(4);
  if (box.length < 8 + count * width || count > MAX_CHUNKS) return undefined;
  return Array.from({ length: count }, (_, i) => (width === 4 ? box.readUInt32BE(8 + 4 * i) : Number(box.readBigUInt64BE(8 + 8 * i))));
}

/** The bytes of a number of samples in a row. They have the same size, or each has its own. */
function sampleLengths(box: Buffer): ((first: number, count: number) => number | undefined) | undefined {
  if (box.length < 12) return undefined;
  const [same, total] = [box.readUInt32BE(4), box.readUInt32BE(8)];
  if (same > 0) return (first, count) => (first + count <= total ? count * same : undefined);
  if (box.length < 12 + 4 * total) return undefined;
  return (first, count) => {
    if (first + count > total) return undefined;
    let sum = 0;
    for (let i = first; i < first + count; i++) sum += box.readUInt32BE(12 + 4 * i);
    return sum;
  };
}

/** Each entry holds the first chunk that it applies to, counted from 1, and the samples in each of its chunks. */
function samplesPerChunk(box: Buffer): ((chunk: number) => number | undefined) | undefined {
  const count = box.length < 8 ? 0 : box.readUInt32BE(4);
  if (count === 0 || box.length < 8 + 12 * count) return undefined;
  let run = -1;
  return (chunk) => {
    while (run + 1 < count && box.readUInt32BE(8 + 12 * (run + 1)) <= chunk) run++;
    return run < 0 ? undefined : box.readUInt32BE(8 + 12 * run + 4);
  };
}
