import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { type Box, readBoxes } from '../heif/boxes.ts';
import { exifRange } from '../heif/exif.ts';
import { type HeifItem, type HeifMeta, readHeifMeta } from '../heif/meta.ts';
import { PlanBuilder, type StripPlan } from './plan.ts';

/** The top-level boxes that a player needs; all others are emptied. */
const KEPT_TOP = new Set(['ftyp', 'styp', 'meta', 'mdat', 'moov', 'moof', 'mfra', 'sidx']);
const METADATA_ITEMS = new Set(['Exif', 'mime', 'uri ']);
/** Descriptions, alternative texts and times among the properties of a picture (ISO/IEC 23008-12 §6.5). */
const PRIVATE_PROPERTIES = new Set(['udes', 'altt', 'crtt', 'mdft', 'uuid']);
const PRIVATE_IN_MOVIE = new Set(['udta', 'meta', 'uuid', 'free', 'skip']);

/** A type that every reader skips. */
const FREE = Buffer.from('free', 'latin1');

/** A range that is overwritten in place: with the given bytes, then with zeros. */
interface Patch extends ByteRange {
  readonly bytes?: Buffer;
}

/**
 * An AVIF addresses its pixels by offset, so nothing moves: EXIF, XMP, other metadata items and thumbnails are
 * overwritten with zeros, and their entries get a type that no reader opens. Orientation (`irot`, `imir`) and colour
 * (`colr`) stay.
 */
export async function planAvif(file: ImageBytes): Promise<StripPlan> {
  const meta = await readHeifMeta(file);
  if (!meta.top.some((box) => box.type === 'mdat') && meta.items.length === 0) throw new DamagedImageError();
  const patches: Patch[] = meta.top.filter((box) => !KEPT_TOP.has(box.type)).flatMap(emptied);
  for (const item of hiddenItems(meta)) patches.push(...hidden(item, meta));
  patches.push(...meta.properties.filter((box) => PRIVATE_PROPERTIES.has(box.type)).flatMap(emptied));
  for (const movie of meta.top.filter((box) => box.type === 'moov')) patches.push(...(await moviePatches(file, movie)));
  const exif = await exifRange(file, meta);
  return { ...apply(patches, file.size), ...(exif && { exif }) };
}

function hiddenItems(meta: HeifMeta): HeifItem[] {
  const thumbnails = new Set(meta.references.filter((ref) => ref.type === 'thmb').map((ref) => ref.from));
  return meta.items.filter((item) => item.id !== meta.primary && (METADATA_ITEMS.has(item.type) || thumbnails.has(item.id)));
}

function hidden(item: HeifItem, meta: HeifMeta): Patch[] {
  const extents = meta.extents.get(item.id) ?? [];
  return [{ from: item.typeAt, to: item.entry.to, bytes: FREE }, ...extents];
}

function emptied(box: Box): Patch[] {
  return [
    { from: box.from + 4, to: box.from + 8, bytes: FREE },
    { from: box.body, to: box.to },
  ];
}

/** Image sequences keep user data and metadata in the movie and in its tracks. */
async function moviePatches(file: ImageBytes, movie: Box): Promise<Patch[]> {
  const inner = await readBoxes(file, movie.body, movie.to);
  const patches = inner.filter((box) => PRIVATE_IN_MOVIE.has(box.type)).flatMap(emptied);
  for (const track of inner.filter((box) => box.type === 'trak')) patches.push(...(await moviePatches(file, track)));
  return patches;
}

function apply(patches: readonly Patch[], size: number): StripPlan {
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
  return plan.finish();
}
