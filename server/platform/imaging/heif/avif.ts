import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError, InseparableImageError } from '../errors.ts';
import { keptExif } from '../metadata/exif.ts';
import type { KeptRights, StripPlan } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { Ranges } from '../ranges.ts';
import { brandPatches, gridPatches, handlerPatches, needlessPatches, propertyPatches, referencePatches } from './avif-fields.ts';
import { moviePatches, sampleRanges } from './avif-movie.ts';
import { addPatches, apply, changing, emptied, FREE, type Patch } from './avif-patches.ts';
import { type Box, descend, readBoxes } from './boxes.ts';
import { type HeifItem, type HeifMeta, readHeifMeta } from './meta.ts';
import { readHeifMetadata } from './metadata.ts';
import { obuPatches } from './obus.ts';

/** The top-level boxes that a player needs; all others are emptied. */
const KEPT_TOP = new Set(['ftyp', 'meta', 'mdat', 'moov']);
/** The same where a sequence is in fragments. */
const KEPT_FRAGMENTS = new Set([...KEPT_TOP, 'styp', 'moof', 'mfra', 'sidx']);
/** Boxes that no reader needs: free space, and extensions such as Adobe's XMP. */
const NEEDLESS = new Set(['free', 'skip', 'uuid']);
/** Pictures, coded or made of others. Items of other kinds are metadata of some program. */
const PICTURE_ITEMS = new Set(['av01', 'hvc1', 'avc1', 'vvc1', 'jpeg', 'unci', 'mski', 'grid', 'iovl', 'iden', 'tmap']);
/** Groups and references that say how pictures belong together. */
const KEPT_GROUPS = new Set(['altr', 'ster', 'prgr', 'tmap']);
const KEPT_REFERENCES = new Set(['dimg', 'auxl', 'thmb', 'prem', 'base', 'cdsc', 'iloc', 'fdel', 'tbas', 'exbl', 'ovly']);
const KEPT_IN_PROPERTIES = new Set(['ipco', 'ipma']);
/** The boxes of the table of contents that readers need; all others are emptied. */
const KEPT_IN_META = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl']);

/**
 * An AVIF addresses its pixels by offset, so nothing moves: EXIF, XMP, other metadata items and thumbnails are
 * overwritten with zeros, and their entries get a type that no reader opens. So is everything that no picture refers to.
 * Orientation (`irot`, `imir`; that in EXIF means nothing) and the colours (`colr`) stay, and so does every byte of a picture, whichever box it is in (decision 125).
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
  const keptTop = meta.top.some(({ type }) => type === 'moof') ? KEPT_FRAGMENTS : KEPT_TOP;
  const needless = [...meta.top.filter(({ type }) => !keptTop.has(type)), ...meta.children.filter(({ type }) => !KEPT_IN_META.has(type))];
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
  addPatches(patches, await fieldPatches(file, meta, used));
  for (const movie of meta.top.filter((box) => box.type === 'moov')) addPatches(patches, await moviePatches(file, movie, used));
  if (patches.some((patch) => used.overlaps(patch))) throw new InseparableImageError();
  const inPictures = await changing(file, await codedPatches(file, meta));
  addPatches(patches, inPictures);
  const isRisky =
    !meta.isPlain || unknown.length > 0 || inPictures.length > 0 || needless.some((box) => !NEEDLESS.has(box.type) || used.overlaps(box));
  return { ...metadata, orientation: 1, rights, isRisky, pieces: apply(await changing(file, patches), file.size) };
}

/** What the boxes that stay hold beside what readers read. */
async function fieldPatches(file: ImageBytes, meta: HeifMeta, used: Ranges): Promise<Patch[]> {
  const patches: Patch[] = meta.slack.filter(({ from, to }) => from < to && !used.overlaps({ from, to }));
  const childrenOf = (type: string) => meta.children.filter((box) => box.type === type);
  for (const box of meta.top.filter(({ type }) => type === 'ftyp')) addPatches(patches, await brandPatches(file, box));
  for (const box of childrenOf('hdlr')) addPatches(patches, handlerPatches(box));
  for (const box of childrenOf('grpl')) addPatches(patches, needlessPatches(await readBoxes(file, box.body, box.to), KEPT_GROUPS, used));
  for (const box of childrenOf('iprp'))
    addPatches(patches, needlessPatches(await readBoxes(file, box.body, box.to), KEPT_IN_PROPERTIES, used));
  for (const reference of meta.references)
    if (!KEPT_REFERENCES.has(reference.type)) addPatches(patches, referencePatches(reference, meta.primary));
  for (const box of meta.properties) addPatches(patches, await propertyPatches(file, box, used));
  return patches;
}

/** What no decoder reads of the pictures themselves. */
async function codedPatches(file: ImageBytes, meta: HeifMeta): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (const { id, type } of meta.items) {
    const [extent, another] = meta.extents.get(id) ?? [];
    if (!extent || another) continue;
    if (type === 'av01') addPatches(patches, await obuPatches(file, extent));
    else if (type === 'grid') addPatches(patches, await gridPatches(file, extent));
  }
  return patches;
}

/** Metadata, and thumbnails that aren't also part of a picture. */
function removedItems({ items, primary, references }: HeifMeta): HeifItem[] {
  const metadata = new Set(items.filter(isMetadata).map(({ id }) => id));
  const parts = new Set(references.filter(({ type, from }) => type === 'dimg' && !metadata.has(from)).flatMap(({ to }) => to));
  const thumbnails = new Set(references.filter(({ type, from }) => type === 'thmb' && !parts.has(from)).map(({ from }) => from));
  return items.filter((item) => item.id !== primary && (isMetadata(item) || thumbnails.has(item.id)));
}

const isMetadata = ({ type }: HeifItem) => !PICTURE_ITEMS.has(type);

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
  for (const extent of extents) addPatches(patches, isMetadata(item) ? [extent] : used.gapsIn(extent));
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

/** The frames of an image sequence, as the sample table of its first track says; 1 for a still picture. */
export async function countSequenceFrames(file: ImageBytes): Promise<number> {
  const sizes = await descend(file, { body: 0, to: file.size }, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz']);
  return sizes ? Math.max(1, (await file.at(sizes.body + 8, 4)).readUInt32BE()) : 1;
}
