import type { ByteRange, ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../icc/reduce.ts';
import type { PlanBuilder } from '../metadata/plan.ts';
import { headSegments } from './segments.ts';

export const ICC_MARKER = 0xe2;
export const ICC_NAME = 'ICC_PROFILE\0';
/** Marker, length, name, number of the part and number of parts. */
const ICC_HEAD = 4 + ICC_NAME.length + 2;
const MAX_ICC_PART = 0xffff - (ICC_HEAD - 2);

/** Where the segments begin that stay; known after the first. */
export interface ProfileProgress {
  kept?: ReadonlySet<number>;
}

/** The first segment of the profile decides: all stay, or the reduced profile replaces it, and the others are dropped. */
export async function takeProfile(file: ImageBytes, plan: PlanBuilder, progress: ProfileProgress, at: number, end: number): Promise<void> {
  progress.kept ??= await reduceSegments(file, plan, at);
  if (progress.kept.has(at)) plan.keep(at, end);
}

async function reduceSegments(file: ImageBytes, plan: PlanBuilder, first: number): Promise<ReadonlySet<number>> {
  const segments = await findSegments(file, first);
  if (segments.reduce((sum, { from, to }) => sum + to - from, 0) > MAX_ICC_BYTES) return new Set();
  const contents: Buffer[] = [];
  for (const { from, to } of segments) contents.push(await file.copy({ from: from + ICC_HEAD, to }));
  const profile = Buffer.concat(contents);
  const reduced = reduceProfile(profile);
  if (reduced?.equals(profile)) return new Set(segments.map(({ from }) => from));
  if (reduced) for (const segment of profileSegments(reduced)) plan.insert(segment);
  return new Set();
}

/**
 * The segments in the order of their numbers. As in libvips, the announced number of segments is only a hint, and of
 * segments with the same number the first counts.
 */
async function findSegments(file: ImageBytes, first: number): Promise<ByteRange[]> {
  const segments = new Map<number, ByteRange>();
  for await (const { marker, from, to } of headSegments(file, first)) {
    if (marker !== ICC_MARKER || to - from < ICC_HEAD) continue;
    const head = await file.at(from, ICC_HEAD);
    const number = head.readUInt8(ICC_HEAD - 2);
    if (head.toString('latin1', 4, ICC_HEAD - 2) === ICC_NAME && !segments.has(number)) segments.set(number, { from, to });
  }
  return [...segments].sort(([a], [b]) => a - b).map(([, range]) => range);
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
