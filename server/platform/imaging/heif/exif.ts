import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { HeifMeta } from './meta.ts';

/** The range of the TIFF structure in the EXIF item; the four bytes before it hold its offset (ISO/IEC 23008-12 §A.2.1). */
export async function exifRange(file: ImageBytes, meta: HeifMeta): Promise<ByteRange | undefined> {
  const item = meta.items.find(({ type }) => type === 'Exif');
  const [extent] = (item && meta.extents.get(item.id)) ?? [];
  if (!extent || extent.to - extent.from < 4) return undefined;
  const distance = (await file.at(extent.from, 4)).readUInt32BE();
  const from = extent.from + 4 + distance;
  return from < extent.to ? { from, to: extent.to } : undefined;
}
