import type { SharpOptions } from 'sharp';
import { ImageBytes } from '../../bytes.ts';
import { DamagedImageError, ImageError, ImageTooLargeError, UnsupportedImageError } from '../../errors.ts';
import { readHeifMeta } from '../../heif/meta.ts';
import type { ImageLimits, SniffedFormat } from '../../types.ts';

/**
 * Options for opening every image. `error` fails on truncated files and decoder errors, but not on warnings: cameras write
 * files full of those.
 */
export function sharpInput(limits: ImageLimits): SharpOptions {
  return { failOn: 'error', limitInputPixels: limits.totalPixels, sequentialRead: true };
}

/**
 * Options for stored pictures. libvips gives up on one with faults in its coded pixels, where browsers show what they can. Uploads aren't checked
 * for those (decisions 099, 106).
 */
export function leniency(format: SniffedFormat | undefined): SharpOptions {
  return format === 'jpeg' ? { unlimited: true } : format === 'png' ? { failOn: 'none' } : {};
}

/** `ftyp` and the major brand, after the length of their box. */
const BRAND = { from: 4, to: 12 };

/**
 * What sharp opens of a picture. The major brand of an animated AVIF, `avis`, only says that players show its sequence first, but libvips doesn't know it.
 * It reads the still picture that nearly all of these files have as well.
 * @throws UnsupportedImageError for an animated AVIF without a still picture
 */
export async function readable(picture: Uint8Array): Promise<Uint8Array> {
  await using file = await ImageBytes.open(picture);
  const isSequence = file.size >= BRAND.to && (await file.at(BRAND.from, BRAND.to - BRAND.from)).toString('latin1') === 'ftypavis';
  if (!isSequence) return picture;
  const still = await file.copy({ from: 0, to: file.size });
  still.write('ftypavif', BRAND.from, 'latin1');
  if ((await readHeifMeta(file)).primary === undefined)
    throw new UnsupportedImageError(
      'This animated AVIF has no still picture, which previews need. Save it as an animated WebP and upload that.',
    );
  return still;
}

/** Runs a decoder and translates its errors into faults of the image. Faults of the machine (no memory, disk full) pass through. */
export async function withDecodeErrors<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ImageError || 'syscall' in error) return error;
  if (/exceeds pixel limit|dimensions? exceed|too many pixels/i.test(error.message)) {
    return new ImageTooLargeError('The picture has too many pixels. Make it smaller and try again.', { cause: error });
  }
  if (/no space left/i.test(error.message)) return Object.assign(error, { code: 'ENOSPC' }); // the code that the file system uses
  // A damaged image may also end in “unable to write”; for faults of the machine the message includes the system's error.
  if (/out of memory|file is missing|unable to open|(system|windows) error:/i.test(error.message)) return error;
  return new DamagedImageError(undefined, { cause: error });
}
