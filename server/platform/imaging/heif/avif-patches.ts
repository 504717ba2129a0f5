import type { ByteRange, ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, padProfile, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { type Piece, PlanBuilder } from '../metadata/plan.ts';
import type { Ranges } from '../ranges.ts';
import type { Box } from './boxes.ts';

/** A range that is overwritten in place: with the given bytes, then with zeros. */
export interface Patch extends ByteRange {
  readonly bytes?: Buffer;
}

/** Far more than any picture needs; each becomes a piece of the cleaned file, unless it overlaps others. */
const MAX_PATCHES = 20_000;

/** Appends patches. @throws DamagedImageError when there are too many of them */
export function addPatches(patches: Patch[], added: readonly Patch[]): void {
  if (patches.length + added.length > MAX_PATCHES) throw new DamagedImageError('The picture has too many segments.');
  patches.push(...added);
}

/** A type that every reader skips. */
export const FREE = Buffer.from('free', 'latin1');

/** Turns a box into free space. One that holds data of the picture stays, and only loses the rest of its content. */
export function emptied(box: Box, used: Ranges): Patch[] {
  const content = { from: box.body, to: box.to };
  if (used.overlaps(content)) return used.gapsIn(content);
  return [{ from: box.from + 4, to: box.from + 8, bytes: FREE }, content];
}

/** A colour box keeps its length: the reduced profile ends with zeros. */
export async function profilePatches(file: ImageBytes, box: Box, used: Ranges): Promise<Patch[]> {
  if (box.to - box.body < 4) return [];
  const kind = (await file.at(box.body, 4)).toString('latin1');
  if (kind !== 'prof' && kind !== 'rICC') return [];
  const place = { from: box.body + 4, to: box.to };
  const length = place.to - place.from;
  if (length > MAX_ICC_BYTES) return emptied(box, used);
  const profile = await file.copy(place);
  const reduced = reduceProfile(profile, length);
  if (!reduced) return emptied(box, used);
  const bytes = padProfile(reduced, length);
  return bytes.equals(profile) ? [] : [{ ...place, bytes }];
}

/** Longer ones change something: names and reserved fields are short. */
const MAX_COMPARED = 4 * 1024;

/** The patches without those that are in the file already. */
export async function changing(file: ImageBytes, patches: readonly Patch[]): Promise<Patch[]> {
  const found: Patch[] = [];
  for (const patch of patches) {
    const length = patch.to - patch.from;
    if (length > MAX_COMPARED || !(await file.at(patch.from, length)).equals(Buffer.concat([patch.bytes ?? Buffer.alloc(0)], length)))
      found.push(patch);
  }
  return found;
}

export function apply(patches: readonly Patch[], size: number): readonly Piece[] {
  const plan = new PlanBuilder();
  let at = 0;
  for (const patch of patches.toSorted((a, b) => a.from - b.from)) {
    // Only a hostile file has overlapping metadata; the first overwrite is enough.
    const from = Math.max(at, patch.from);
    if (patch.to <= from) continue;
    plan.keep(at, from);
    const bytes = from === patch.from ? patch.bytes : undefined;
    if (bytes) plan.insert(bytes);
    plan.zeros(patch.to - from - (bytes?.length ?? 0));
    at = patch.to;
  }
  plan.keep(at, size);
  return plan.finish().pieces;
}
