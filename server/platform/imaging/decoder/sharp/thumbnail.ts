import { rgbaToThumbHash } from 'thumbhash';
import { DEFAULT_IMAGE_LIMITS } from '../../limits.ts';
import { perceptualHash } from '../../perceptual-hash.ts';
import type { ImageHashes, ImageLimits, SniffedFormat } from '../../types.ts';
import type { Files } from '../files.ts';
import { THUMBNAIL_GROUND } from '../threads/job.ts';
import { drawInThread } from '../threads/thread.ts';
import { sharp } from './sharp.ts';
import { readable, sharpInput, withDecodeErrors } from './sharp-input.ts';

const QUALITY = 80;

/** More pixels cost more time, and leave the hash the same: it keeps seven waves per side. A JPEG of 400 px is decoded at an eighth of its size. */
const HASH_SIDE = 50;

interface Thumbnail {
  format: SniffedFormat | undefined;
  /** Maximum length of the longer side in pixels. */
  width: number;
  limits: ImageLimits;
  withHashes: boolean;
}

export interface MadeThumbnail {
  /** Upright, in sRGB, without metadata. */
  jpeg: Uint8Array;
  /** Its hashes, if requested. */
  hashes: ImageHashes | undefined;
}

export async function makeThumbnail(
  { format, width, limits, withHashes }: Thumbnail,
  { picture }: Pick<Files, 'picture'>,
): Promise<MadeThumbnail> {
  const source = format === 'svg' ? await drawInThread(picture, width) : await readable(picture);
  // libvips gives up on a picture with faults in its coded pixels, where browsers show what they can. Uploads aren't checked for those (decisions 099, 106).
  const leniency = format === 'jpeg' ? { unlimited: true } : format === 'png' ? { failOn: 'none' as const } : {};
  const jpeg = await withDecodeErrors(() =>
    sharp(source, { ...sharpInput(limits), ...leniency, pages: 1 })
      .autoOrient()
      .resize(width, width, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: THUMBNAIL_GROUND })
      .timeout({ seconds: limits.decodeSeconds })
      .jpeg({ quality: QUALITY, progressive: false, mozjpeg: false })
      .toBuffer(),
  );
  return { jpeg, hashes: withHashes ? await hashesOf({}, { picture: jpeg }) : undefined };
}

/** The hashes of a thumbnail. */
export async function hashesOf(_options: object, { picture }: Pick<Files, 'picture'>): Promise<ImageHashes> {
  const { data, info } = await withDecodeErrors(() =>
    sharp(picture, sharpInput(DEFAULT_IMAGE_LIMITS))
      .resize(HASH_SIDE, HASH_SIDE, { fit: 'inside' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  const { width, height } = info;
  return {
    thumbhash: Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64'),
    phash: perceptualHash(width, height, data),
  };
}
