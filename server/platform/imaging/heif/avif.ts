import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError, InseparableImageError } from '../errors.ts';
import { keptExif } from '../metadata/exif.ts';
import type { KeptRights, StripPlan } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { Ranges } from '../ranges.ts';
import { moviePatches } from './avif-movie.ts';
import { addPatches, apply, emptied, FREE, type Patch, profilePatches } from './avif-patches.ts';
import type { Box } from './boxes.ts';
import { type HeifItem, type HeifMeta, readHeifMeta } from './meta.ts';
import { readHeifMetadata } from './metadata.ts';
import { sampleRanges } from './samples.ts';

/** The top-level boxes that a player needs; all others are emptied. */
const KEPT_TOP = new Set(['ftyp', 'styp', 'meta', 'mdat', 'moov', 'moof', 'mfra', 'sidx']);
/** Boxes that no reader needs: free space, and extensions such as Adobe's XMP. */
const NEEDLESS = new Set(['free', 'skip', 'uuid']);
const METADATA_ITEMS = new Set(['Exif', 'mime', 'uri ']);
/** Descriptions, alternative texts and times among the properties of a picture (ISO/IEC 23008-12 §6.5). */
const PRIVATE_PROPERTIES = new Set(['udes', 'altt', 'crtt', 'mdft', 'uuid']);
/** The boxes of the table of contents that readers need; all others are emptied. */
const KEPT_IN_META = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl', 'dinf']);

/**
 * An AVIF addresses its pixels by offset, so nothing moves: EXIF, XMP, other metadata items and thumbnails are
 * overwritten with zeros, and their entries get a type that no reader opens. So is everything that no picture refers to.
 * Orientation (`irot`, `imir`) and the colours (`colr`) stay, and so does every byte of a picture, whichever box it is in (decision 125).
 * @throws InseparableImageError if metadata share bytes with a picture
 */
export async function planAvif(file: ImageBytes, kept: KeptRights = {}): Promise<StripPlan> {
  const meta = await readHeifMeta(file);
  if (!meta.top.some((box) => box.type === 'mdat') && meta.items.length === 0) throw new DamagedImageError();
  const metadata = await readHeifMetadata(file, meta, kept === 'own');
  const rights = kept === 'own' ? metadata.rights : kept;
  const removed = removedItems(meta);
  const shown = extentsOf(meta, shownIds(meta, removed));
  const samples = await usedBySequences(file, meta);
  const used = new Ranges([...shown, ...(samples ?? [])]);
  const needless = [...meta.top.filter(({ type }) => !KEPT_TOP.has(type)), ...meta.children.filter(({ type }) => !KEPT_IN_META.has(type))];
  // Any of them may hold samples.
  if (!samples && needless.some(({ body, to }) => to > body)) throw new InseparableImageError();
  const known = new Ranges([...shown, ...(samples ?? []), ...extentsOf(meta, new Set(removed.map(({ id }) => id)))]);
  const unknown = dataAreas(meta, samples !== undefined).flatMap((area) => known.gapsIn(area));
  const patches: Patch[] = [];
  addPatches(patches, unknown);
  for (const box of needless) addPatches(patches, emptied(box, used));
  const written = rightsPatch(meta, rights);
  if (written) patches.push(written.patch);
  for (const item of removed.filter((other) => other !== written?.item)) addPatches(patches, hidden(item, meta, used));
  for (const box of meta.properties.filter(({ type }) => type === 'colr')) addPatches(patches, await profilePatches(file, box, used));
  addPatches(
    patches,
    meta.properties.filter((box) => PRIVATE_PROPERTIES.has(box.type)).flatMap((box) => emptied(box, used)),
  );
  for (const movie of meta.top.filter((box) => box.type === 'moov')) addPatches(patches, await moviePatches(file, movie, used));
  if (patches.some((patch) => used.overlaps(patch))) throw new InseparableImageError();
  const isRisky = !meta.isPlain || unknown.length > 0 || needless.some((box) => !NEEDLESS.has(box.type) || used.overlaps(box));
  return { ...metadata, rights, isRisky, pieces: apply(patches, file.size) };
}

/** Metadata, and thumbnails that aren't also part of a picture. */
function removedItems({ items, primary, references }: HeifMeta): HeifItem[] {
  const metadata = new Set(items.filter(({ type }) => METADATA_ITEMS.has(type)).map(({ id }) => id));
  const parts = new Set(references.filter(({ type, from }) => type === 'dimg' && !metadata.has(from)).flatMap(({ to }) => to));
  const thumbnails = new Set(references.filter(({ type, from }) => type === 'thmb' && !parts.has(from)).map(({ from }) => from));
  return items.filter(({ id, type }) => id !== primary && (METADATA_ITEMS.has(type) || thumbnails.has(id)));
}

/** The items that stay, and those whose bytes they take. */
function shownIds({ items, primary, references }: HeifMeta, removed: readonly HeifItem[]): Set<number> {
  const gone = new Set(removed);
  const shown = new Set(items.filter((item) => !gone.has(item)).map(({ id }) => id));
  if (primary !== undefined) shown.add(primary);
  const sources = references.filter(({ type, from }) => type === 'iloc' && shown.has(from)).flatMap(({ to }) => to);
  for (const id of sources) shown.add(id);
  return shown;
}

const extentsOf = (meta: HeifMeta, ids: ReadonlySet<number>) => [...ids].flatMap((id) => meta.extents.get(id) ?? []);

/** The rights replace the EXIF in its place, if they fit; the orientation is a property of the picture. */
function rightsPatch(meta: HeifMeta, rights: Rights): { item: HeifItem; patch: Patch } | undefined {
  const exif = keptExif(1, rights);
  const item = meta.items.find(({ id, type }) => type === 'Exif' && id !== meta.primary);
  const extents = (item && meta.extents.get(item.id)) ?? [];
  const [extent] = extents;
  if (!exif || !item || !extent || extents.length > 1) return undefined;
  // In front of the EXIF: the distance to its beginning.
  const bytes = Buffer.concat([Buffer.alloc(4), exif]);
  return bytes.length <= extent.to - extent.from ? { item, patch: { ...extent, bytes } } : undefined;
}

/** A thumbnail may share its bytes with the picture. Where metadata do, they can't be removed. */
function hidden(item: HeifItem, meta: HeifMeta, used: Ranges): Patch[] {
  const extents = meta.extents.get(item.id) ?? [];
  const patches: Patch[] = [{ from: item.typeAt, to: item.entry.to, bytes: FREE }];
  for (const extent of extents) addPatches(patches, METADATA_ITEMS.has(item.type) ? [extent] : used.gapsIn(extent));
  return patches;
}

/** The boxes for data. Where the samples of a sequence aren't certain, all data stays. */
function dataAreas({ top, children }: HeifMeta, areSamplesCertain: boolean): ByteRange[] {
  const boxes: Box[] = children.filter(({ type }) => type === 'idat');
  if (areSamplesCertain) boxes.push(...top.filter(({ type }) => type === 'mdat'));
  return boxes.map(({ body, to }) => ({ from: body, to }));
}

/** Undefined where they aren't certain. */
async function usedBySequences(file: ImageBytes, { top }: HeifMeta): Promise<ByteRange[] | undefined> {
  const [movie, another] = top.filter(({ type }) => type === 'moov');
  // Fragments describe their samples elsewhere.
  if (another || top.some(({ type }) => type === 'moof')) return undefined;
  return movie ? sampleRanges(file, movie) : [];
}
