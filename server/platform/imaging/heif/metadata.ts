import type { ByteRange, ImageBytes } from '../bytes.ts';
import { type Metadata, NO_METADATA, readExif } from '../metadata/exif.ts';
import { combined, MAX_SOURCES } from '../metadata/rights.ts';
import { readPacket } from '../metadata/xmp.ts';
import { type HeifMeta, propertiesOf } from './meta.ts';

/** The range of the TIFF structure in the EXIF item; the four bytes before it hold its offset (ISO/IEC 23008-12 §A.2.1). */
export async function exifRange(file: ImageBytes, meta: HeifMeta): Promise<ByteRange | undefined> {
  const item = meta.items.find(({ type }) => type === 'Exif');
  const [extent] = (item && meta.extents.get(item.id)) ?? [];
  if (!extent || extent.to - extent.from < 4) return undefined;
  const distance = (await file.at(extent.from, 4)).readUInt32BE();
  const from = extent.from + 4 + distance;
  return from < extent.to ? { from, to: extent.to } : undefined;
}

/** The metadata in EXIF and XMP. @param withRights whether rights are of interest; otherwise there are none */
export async function readHeifMetadata(file: ImageBytes, meta: HeifMeta, withRights: boolean): Promise<Metadata> {
  const range = await exifRange(file, meta);
  const exif = range ? await readExif(file, range) : NO_METADATA;
  if (!withRights) return { ...exif, rights: {} };
  const sources = [exif.rights];
  for (const packet of packetsOf(meta)) sources.push(await readPacket(file, packet));
  return { ...exif, rights: combined(sources) };
}

/** Any number of items may share one place. */
function packetsOf(meta: HeifMeta): ByteRange[] {
  const items = meta.items.filter(({ type }) => type === 'mime');
  const places = new Map(items.flatMap(({ id }) => (meta.extents.get(id) ?? []).slice(0, 1)).map((extent) => [extent.from, extent]));
  return [...places.values()].slice(0, MAX_SOURCES);
}

/** The kinds of auxiliary pictures that are alpha channels (ISO/IEC 23008-12 annex B, ISO/IEC 23000-22). */
const ALPHA = /^urn:mpeg:(avc:2015:auxid:1|hevc:2015:auxid:1|mpegB:cicp:systems:auxiliary:alpha)\0/;
const MAX_KIND_BYTES = 64;

/** Whether the primary picture, or one that it is made of, has an alpha channel. */
export async function hasAlpha(file: ImageBytes, meta: HeifMeta): Promise<boolean> {
  const { primary, references } = meta;
  const parts = references.filter(({ type, from }) => type === 'dimg' && from === primary).flatMap(({ to }) => to);
  const shown = new Set([primary, ...parts]);
  // Any number of references may be from one item.
  const auxiliaries = new Set(
    references.filter(({ type, to }) => type === 'auxl' && to.some((id) => shown.has(id))).map(({ from }) => from),
  );
  const kinds = new Set([...auxiliaries].flatMap((id) => propertiesOf(meta, id).filter(({ type }) => type === 'auxC')));
  for (const { body, to } of kinds) {
    // After version and flags.
    const kind = await file.copy({ from: Math.min(body + 4, to), to: Math.min(to, body + 4 + MAX_KIND_BYTES) });
    if (ALPHA.test(kind.toString('latin1'))) return true;
  }
  return false;
}
