import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { keptExif } from '../metadata/exif.ts';
import type { KeptRights, StripPlan } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { moviePatches } from './avif-movie.ts';
import { apply, emptied, FREE, type Patch, profilePatches, unused } from './avif-patches.ts';
import { type HeifItem, type HeifMeta, readHeifMeta } from './meta.ts';
import { readHeifMetadata } from './metadata.ts';
import { sampleRanges } from './samples.ts';

/** The top-level boxes that a player needs; all others are emptied. */
const KEPT_TOP = new Set(['ftyp', 'styp', 'meta', 'mdat', 'moov', 'moof', 'mfra', 'sidx']);
const METADATA_ITEMS = new Set(['Exif', 'mime', 'uri ']);
/** Descriptions, alternative texts and times among the properties of a picture (ISO/IEC 23008-12 §6.5). */
const PRIVATE_PROPERTIES = new Set(['udes', 'altt', 'crtt', 'mdft', 'uuid']);
/** The boxes of the table of contents that readers need; all others are emptied. */
const KEPT_IN_META = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl', 'dinf']);

/**
 * An AVIF addresses its pixels by offset, so nothing moves: EXIF, XMP, other metadata items and thumbnails are
 * overwritten with zeros, and their entries get a type that no reader opens. So is everything that no picture refers to.
 * Orientation (`irot`, `imir`) and the colours (`colr`) stay.
 */
export async function planAvif(file: ImageBytes, kept: KeptRights = {}): Promise<StripPlan> {
  const meta = await readHeifMeta(file);
  if (!meta.top.some((box) => box.type === 'mdat') && meta.items.length === 0) throw new DamagedImageError();
  const metadata = await readHeifMetadata(file, meta, kept === 'own');
  const rights = kept === 'own' ? metadata.rights : kept;
  const patches: Patch[] = meta.top.filter((box) => !KEPT_TOP.has(box.type)).flatMap(emptied);
  patches.push(...meta.children.filter((box) => !KEPT_IN_META.has(box.type)).flatMap(emptied));
  const written = rightsPatch(meta, rights);
  if (written) patches.push(written.patch);
  const hiddenOnes = hiddenItems(meta).filter((item) => item !== written?.item);
  for (const item of hiddenOnes) patches.push(...hidden(item, meta));
  patches.push(...(await unusedData(file, meta, hiddenOnes)));
  for (const box of meta.properties.filter(({ type }) => type === 'colr')) patches.push(...(await profilePatches(file, box)));
  patches.push(...meta.properties.filter((box) => PRIVATE_PROPERTIES.has(box.type)).flatMap(emptied));
  for (const movie of meta.top.filter((box) => box.type === 'moov')) patches.push(...(await moviePatches(file, movie)));
  return { ...metadata, rights, pieces: apply(patches, file.size) };
}

function hiddenItems(meta: HeifMeta): HeifItem[] {
  const thumbnails = new Set(meta.references.filter((ref) => ref.type === 'thmb').map((ref) => ref.from));
  return meta.items.filter((item) => item.id !== meta.primary && (METADATA_ITEMS.has(item.type) || thumbnails.has(item.id)));
}

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

function hidden(item: HeifItem, meta: HeifMeta): Patch[] {
  const extents = meta.extents.get(item.id) ?? [];
  return [{ from: item.typeAt, to: item.entry.to, bytes: FREE }, ...extents];
}

/** The data that belongs to no item and no sequence. Where the samples of a sequence aren't certain, all data stays. */
async function unusedData(file: ImageBytes, meta: HeifMeta, hiddenOnes: readonly HeifItem[]): Promise<Patch[]> {
  const hiddenIds = new Set(hiddenOnes.map(({ id }) => id));
  const shown = new Set(meta.items.map(({ id }) => id).filter((id) => !hiddenIds.has(id)));
  if (meta.primary !== undefined) shown.add(meta.primary);
  const used = [...shown].flatMap((id) => meta.extents.get(id) ?? []);
  const samples = await usedBySequences(file, meta);
  const areas = meta.children.filter(({ type }) => type === 'idat');
  if (samples) areas.push(...meta.top.filter(({ type }) => type === 'mdat'));
  return unused(
    areas.map(({ body, to }) => ({ from: body, to })),
    [...used, ...(samples ?? [])],
  );
}

async function usedBySequences(file: ImageBytes, { top }: HeifMeta): Promise<ByteRange[] | undefined> {
  const movie = top.find(({ type }) => type === 'moov');
  // Fragments describe their samples elsewhere.
  if (top.some(({ type }) => type === 'moof')) return undefined;
  return movie ? sampleRanges(file, movie) : [];
}
