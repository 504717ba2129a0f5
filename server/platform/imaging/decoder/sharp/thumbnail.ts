import { rgbaToThumbHash } from 'thumbhash';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import { ImageBytes } from '../../bytes.ts';
import { ImageError } from '../../errors.ts';
import { isSrgb } from '../../icc/srgb.ts';
import { readProfile } from '../../jpeg/profile.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../limits.ts';
import { perceptualHash } from '../../perceptual-hash.ts';
import { type Pixels, smallCopy } from '../../small-copy.ts';
import type { ImageHashes, ImageLimits, SniffedFormat, ThumbnailType } from '../../types.ts';
import type { Files } from '../files.ts';
import { THUMBNAIL_GROUND } from '../threads/job.ts';
import { drawInThread } from '../threads/thread.ts';
import { sharp } from './sharp.ts';
import { leniency, readable, sharpInput, withDecodeErrors } from './sharp-input.ts';

/** AVIF's effort costs more than it saves: at 2, a picture of 960 px takes a quarter of a second. */
const OUTPUTS = {
  jpeg: { quality: 80, progressive: false, mozjpeg: false },
  webp: { quality: 78, effort: 4 },
  avif: { quality: 55, effort: 2 },
} as const satisfies Record<ThumbnailType, object>;

/** More pixels cost more time, and leave the hash the same: it keeps seven waves per side. */
const HASH_SIDE = 50;

interface Thumbnail {
  format: SniffedFormat | undefined;
  /** Maximum length of the longer side in pixels. */
  width: number;
  type: ThumbnailType;
  limits: ImageLimits;
  withHashes: boolean;
}

export interface MadeThumbnail {
  /** Upright, in sRGB, without metadata. */
  picture: Uint8Array;
  /** Its hashes, if requested. */
  hashes: ImageHashes | undefined;
}

export async function makeThumbnail(
  { format, width, type, limits, withHashes }: Thumbnail,
  { picture }: Pick<Files, 'picture'>,
): Promise<MadeThumbnail> {
  const source = format === 'svg' ? await drawInThread(picture, width) : await readable(picture);
  const ignoreIcc = format === 'jpeg' && (await isSrgbJpeg(picture));
  return withDecodeErrors(async () => {
    const scaled = sharp(source, { ...sharpInput(limits), ...leniency(format), ignoreIcc, pages: 1 })
      .autoOrient()
      .resize(width, width, { fit: 'inside', withoutEnlargement: true });
    const shown = type === 'jpeg' ? scaled.flatten({ background: THUMBNAIL_GROUND }) : scaled;
    if (!withHashes) return { picture: await shown.toFormat(type, OUTPUTS[type]).toBuffer(), hashes: undefined };
    const { data, info } = await shown.raw().toBuffer({ resolveWithObject: true });
    const picture = await sharp(data, { raw: info }).toFormat(type, OUTPUTS[type]).toBuffer();
    const hashes = hashesIn({ ...info, data });
    freeBuffer(data);
    return { picture, hashes };
  });
}

/** Whether a JPEG says that it is in sRGB. sharp would convert all of its pixels to what they are, which takes as long as decoding them. */
async function isSrgbJpeg(picture: Uint8Array): Promise<boolean> {
  try {
    await using file = await ImageBytes.open(picture);
    const profile = await readProfile(file);
    return profile !== undefined && isSrgb(profile);
  } catch (error) {
    // Decoders show what they can of a damaged head.
    if (error instanceof ImageError) return false;
    throw error;
  }
}

/** The hashes of a thumbnail. */
export async function hashesOf(_options: object, { picture }: Pick<Files, 'picture'>): Promise<ImageHashes> {
  const { data, info } = await withDecodeErrors(() =>
    sharp(picture, sharpInput(DEFAULT_IMAGE_LIMITS)).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }),
  );
  return hashesIn({ ...info, data });
}

function hashesIn(pixels: Pixels): ImageHashes {
  const { width, height, data } = smallCopy(pixels, HASH_SIDE);
  return {
    thumbhash: Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64'),
    phash: perceptualHash(width, height, data),
  };
}
