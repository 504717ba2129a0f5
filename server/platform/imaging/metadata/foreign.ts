import type { ImageBytes } from '../bytes.ts';
import { ImageError } from '../errors.ts';
import { readHeifMeta } from '../heif/meta.ts';
import { hasAlpha, readHeifMetadata } from '../heif/metadata.ts';
import type { ForeignFormat } from '../types.ts';
import { type Metadata, NO_METADATA, readExif } from './exif.ts';

/** The metadata of a format that is converted. */
export interface ForeignMetadata extends Metadata {
  /** Of a HEIC: whether it has an alpha channel. */
  readonly hasAlpha?: boolean;
}

/**
 * The metadata of a format that is converted; `planStrip` reads those of all others. None where the file is too damaged: whether the picture is
 * sound is checked elsewhere.
 * @param withRights whether rights are of interest; otherwise there are none
 */
export async function readForeignMetadata(file: ImageBytes, format: ForeignFormat, withRights: boolean): Promise<ForeignMetadata> {
  if (format === 'bmp') return NO_METADATA;
  try {
    if (format !== 'tiff') {
      const meta = await readHeifMeta(file);
      return { ...(await readHeifMetadata(file, meta, withRights)), hasAlpha: await hasAlpha(file, meta) };
    }
    const exif = await readExif(file, { from: 0, to: file.size });
    return withRights ? exif : { ...exif, rights: {} };
  } catch (error) {
    if (error instanceof ImageError) return NO_METADATA;
    throw error;
  }
}
