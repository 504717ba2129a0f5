import { rgbaToThumbHash } from 'thumbhash';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../limits.ts';
import type { ImageHashes, ImageLimits, SniffedFormat, ThumbnailType } from '../../types.ts';
import type { Files } from '../files.ts';
import { THUMBNAIL_GROUND } from '../threads/job.ts';
import { drawInThread } from '../threads/thread.ts';
import { type Pixels, perceptualHash, smallCopy } from './hashes.ts';
import { openPicture, withDecodeErrors } from './open.ts';
import { sharp } from './sharp.ts';

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
  const source = format === 'svg' ? await drawInThread(picture, width) : picture;
  return withDecodeErrors(async () => {
    const { image } = await openPicture(source, { limits, isStored: true });
    const scaled = image.resize(width, width, { fit: 'inside', withoutEnlargement: true });
    const shown = type === 'jpeg' ? scaled.flatten({ background: THUMBNAIL_GROUND }) : scaled;
    if (!withHashes) return { picture: await shown.toFormat(type, OUTPUTS[type]).toBuffer(), hashes: undefined };
    const { data, info } = await shown.raw().toBuffer({ resolveWithObject: true });
    const picture = await sharp(data, { raw: info }).toFormat(type, OUTPUTS[type]).toBuffer();
    const hashes = hashesIn({ ...info, data });
    freeBuffer(data);
    return { picture, hashes };
  });
}

/** The hashes of a thumbnail. */
export async function hashesOf(_options: object, { picture }: Pick<Files, 'picture'>): Promise<ImageHashes> {
  const { image } = await openPicture(picture, { limits: DEFAULT_IMAGE_LIMITS });
  const { data, info } = await withDecodeErrors(() => image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }));
  return hashesIn({ ...info, data });
}

function hashesIn(pixels: Pixels): ImageHashes {
  const { width, height, data } = smallCopy(pixels, HASH_SIDE);
  return {
    thumbhash: Buffer.from(rgbaToThumbHash(width, height, data)).toString('base64'),
    phash: perceptualHash(width, height, data),
  };
}
