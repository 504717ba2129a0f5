import type { ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import type { Ranges } from '../ranges.ts';
import { addPatches, emptied, type Patch, profilePatches } from './avif-patches.ts';
import { type Box, readBoxes } from './boxes.ts';

const PRIVATE = new Set(['udta', 'meta', 'uuid', 'free', 'skip']);
const CONTAINERS = new Set(['trak', 'mdia', 'minf', 'stbl']);
/** Headers that begin with the times of creation and of the last change, in seconds. */
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd']);
/** Real movies nest their containers five deep. */
const MAX_DEPTH = 16;
/** Version, flags and the number of entries. */
const DESCRIPTIONS_HEAD = 8;
/** The fixed part of a description of pictures (ISO/IEC 14496-12 §12.1.3). */
const PICTURE_HEAD = 78;

/**
 * Image sequences keep user data, metadata, times and colour profiles in the movie and in its tracks.
 * @param used the data of pictures
 */
export async function moviePatches(file: ImageBytes, movie: Box, used: Ranges, depth = 1): Promise<Patch[]> {
  if (depth > MAX_DEPTH) throw new DamagedImageError();
  const patches: Patch[] = [];
  for (const box of await readBoxes(file, movie.body, movie.to)) {
    if (PRIVATE.has(box.type)) addPatches(patches, emptied(box, used));
    else if (TIMED.has(box.type)) addPatches(patches, await timePatches(file, box));
    else if (box.type === 'stsd') addPatches(patches, await descriptionPatches(file, box, used));
    else if (CONTAINERS.has(box.type)) addPatches(patches, await moviePatches(file, box, used, depth + 1));
  }
  return patches;
}

async function timePatches(file: ImageBytes, box: Box): Promise<Patch[]> {
  const isLong = (await file.at(box.body, 1)).readUInt8() === 1;
  const from = box.body + 4;
  return [{ from, to: Math.min(box.to, from + (isLong ? 16 : 8)) }];
}

async function descriptionPatches(file: ImageBytes, box: Box, used: Ranges): Promise<Patch[]> {
  if (box.to - box.body < DESCRIPTIONS_HEAD) return [];
  const patches: Patch[] = [];
  for (const entry of await readBoxes(file, box.body + DESCRIPTIONS_HEAD, box.to)) {
    if (entry.type !== 'av01' || entry.to - entry.body < PICTURE_HEAD) continue;
    for (const inner of await readBoxes(file, entry.body + PICTURE_HEAD, entry.to))
      if (inner.type === 'colr') addPatches(patches, await profilePatches(file, inner, used));
  }
  return patches;
}
