import { rgbaToThumbHash } from 'thumbhash';
import { DEFAULT_IMAGE_LIMITS } from '../limits.ts';
import type { ImageLimits, SniffedFormat } from '../types.ts';
import { sharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';
import { drawInThread } from './thread.ts';

const QUALITY = 80;

/** More pixels cost more time, and leave the hash the same: it keeps seven waves per side. */
const HASH_SIDE = 48;

interface Thumbnail {
  input: string;
  format: SniffedFormat | undefined;
  /** Maximum length of the longer side in pixels. */
  width: number;
  limits: ImageLimits;
}

/** A JPEG, upright, in sRGB, without metadata. */
export async function makeThumbnail({ input, format, width, limits }: Thumbnail): Promise<Uint8Array> {
  const source = format === 'svg' ? await drawInThread(input, width) : input;
  // libvips gives up a JPEG with many faults in its coded pixels, where browsers show blocks. No upload is checked for those (decision 099).
  const unlimited = format === 'jpeg';
  return withDecodeErrors(() =>
    sharp(source, { ...sharpInput(limits), unlimited, pages: 1 })
      .autoOrient()
      .resize(width, width, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .timeout({ seconds: limits.decodeSeconds })
      .jpeg({ quality: QUALITY, progressive: false, mozjpeg: false })
      .toBuffer(),
  );
}

/** The ThumbHash of a thumbnail as Base64. */
export async function thumbHashOf({ input }: { input: string }): Promise<string> {
  const { data, info } = await withDecodeErrors(() =>
    sharp(input, sharpInput(DEFAULT_IMAGE_LIMITS))
      .resize(HASH_SIDE, HASH_SIDE, { fit: 'inside' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
