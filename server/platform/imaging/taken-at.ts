import type { ByteRange, ImageBytes } from './bytes.ts';
import { ImageError } from './errors.ts';
import { readExif } from './exif.ts';
import { exifRange } from './heif/exif.ts';
import { readHeifMeta } from './heif/meta.ts';
import { planStrip } from './strip.ts';
import type { SniffedFormat } from './types.ts';

/**
 * When the picture was taken, from EXIF's DateTimeOriginal and OffsetTimeOriginal. Ask before stripping.
 * Absent when there is none, or when the file is too damaged to find it.
 */
export async function readTakenAt(file: ImageBytes, format: SniffedFormat): Promise<Date | undefined> {
  return takenAtFrom(file, await findExif(file, format));
}

/** The same for an EXIF block whose place is known, from a strip plan for instance. */
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
    // The time is a courtesy: whether the picture is sound is decided elsewhere.
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
