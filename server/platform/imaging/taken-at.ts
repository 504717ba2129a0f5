import type { ByteRange, ImageBytes } from './bytes.ts';
import { ImageError } from './errors.ts';
import { readExif } from './exif.ts';
import { exifRange } from './heif/exif.ts';
import { readHeifMeta } from './heif/meta.ts';
import { planStrip } from './strip.ts';
import type { SniffedFormat } from './types.ts';

/**
 * The capture time from EXIF's DateTimeOriginal and OffsetTimeOriginal. Read it before stripping.
 * Undefined when there is none, or when the file is too damaged to find it.
 */
export async function readTakenAt(file: ImageBytes, format: SniffedFormat): Promise<Date | undefined> {
  return takenAtFrom(file, await findExif(file, format));
}

/** The same for an EXIF block whose position is known, for example from a strip plan. */
export async function takenAtFrom(file: ImageBytes, exif: ByteRange | undefined): Promise<Date | undefined> {
  return exif && (await readExif(file, exif)).takenAt;
}

async function findExif(file: ImageBytes, format: SniffedFormat): Promise<ByteRange | undefined> {
  try {
    switch (format) {
      case 'svg':
      case 'bmp':
        return undefined;
      case 'tiff':
        return { from: 0, to: file.size };
      case 'heic':
      case 'heif':
        return await exifRange(file, await readHeifMeta(file));
      default:
        return (await planStrip(file, format)).exif;
    }
  } catch (error) {
    // The time is optional: whether the image is sound is checked elsewhere.
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
