import { ImageBytes } from '../../bytes.ts';
import { jpegSamples } from '../../jpeg/frame.ts';
import type { PictureHeader } from '../../memory.ts';
import type { ImageLimits } from '../../types.ts';
import type { Files } from '../files.ts';
import { openForTrial, withDecodeErrors } from './open.ts';

/**
 * Reads the metadata. Of a JPEG with a single scan, the first rows are decoded: everything that its decoder rejects (tables, components, a scan
 * that doesn't match them) comes before them, and damage after them only shows as grey or coloured blocks (decision 045).
 */
export async function readHeader({ limits }: { limits: ImageLimits }, { picture }: Files): Promise<PictureHeader> {
  const image = await openForTrial(picture, { limits });
  const metadata = await withDecodeErrors(() => image.metadata());
  const { format, width, height, pages, channels, depth, isProgressive, hasAlpha } = metadata;
  const header = { format, width, height, channels, depth, isProgressive, hasAlpha, ...(pages !== undefined && { pages }) };
  if (format !== 'jpeg') return header;
  if (!isProgressive) {
    const first = image.clone().extract({ left: 0, top: 0, width: 1, height: 1 });
    await withDecodeErrors(() => first.raw().toBuffer());
    return header;
  }
  await using file = await ImageBytes.open(picture);
  return { ...header, samples: await jpegSamples(file) };
}
