import type { ByteRange, ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../icc/reduce.ts';
import { headSegments } from '../jpeg-segments.ts';
import type { PlanBuilder } from './plan.ts';

export const ICC_MARKER = 0xe2;
export const ICC_NAME = 'ICC_PROFILE\0';
/** Marker, length, name, number of the part and number of parts. */
const ICC_HEAD = 4 + ICC_NAME.length + 2;
const MAX_ICC_PART = 0xffff - (ICC_HEAD - 2);

/** What happens to the segments of the profile after the first. */
export interface ProfileProgress {
  icc?: 'keep' | 'drop';
}

/** The first segment of the profile decides: the reduced profile replaces it, and the others are dropped. */
export async function takeProfile(file: ImageBytes, plan: PlanBuilder, progress: ProfileProgress, at: number, end: number): Promise<void> {
  if (!progress.icc) {
    const profile = await readProfile(file, at);
    const reduced = profile && reduceProfile(profile);
    progress.icc = profile && reduced?.equals(profile) ? 'keep' : 'drop';
    if (progress.icc === 'drop' && reduced) for (const part of profileSegments(reduced)) plan.insert(part);
  }
  if (progress.icc === 'keep') plan.keep(at, end);
}

/**
 * The profile from all its segments, in the order of their numbers. As in libvips, the announced number of segments is only
 * a hint, and of segments with the same number the first counts.
 */
async function readProfile(file: ImageBytes, first: number): Promise<Buffer | undefined> {
  const parts = new Map<number, ByteRange>();
  for await (const { marker, from, to } of headSegments(file, first)) {
    if (marker !== ICC_MARKER || to - from < ICC_HEAD) continue;
    const head = await file.at(from, ICC_HEAD);
    const number = head.readUInt8(ICC_HEAD - 2);
    if (head.toString('latin1', 4, ICC_HEAD - 2) === ICC_NAME && !parts.has(number)) parts.set(number, { from: from + ICC_HEAD, to });
  }
  const ranges = [...parts].sort(([a], [b]) => a - b).map(([, range]) => range);
  if (ranges.reduce((sum, range) => sum + range.to - range.from, 0) > MAX_ICC_BYTES) return undefined;
  const contents: Buffer[] = [];
  for (const range of ranges) contents.push(await file.copy(range));
  return Buffer.concat(contents);
}

function profileSegments(profile: Buffer): Buffer[] {
  const count = Math.ceil(profile.length / MAX_ICC_PART);
  return Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * MAX_ICC_PART, (i + 1) * MAX_ICC_PART);
    const head = Buffer.alloc(ICC_HEAD);
    head.writeUInt16BE(0xff00 | ICC_MARKER);
    head.writeUInt16BE(ICC_HEAD - 2 + part.length, 2);
    head.write(ICC_NAME, 4, 'latin1');
    head.writeUInt8(i + 1, ICC_HEAD - 2);
    head.writeUInt8(count, ICC_HEAD - 1);
    return Buffer.concat([head, part]);
  });
}
