import { rgbaToThumbHash } from 'thumbhash';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';

/** More pixels cost more time, and leave the hash the same: it keeps seven waves per side. */
const SIDE = 48;
/** Decoding a thumbnail takes less memory than this. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The ThumbHash of a thumbnail as Base64: a placeholder of about 25 bytes.
 * @throws DamagedImageError
 */
export async function thumbHashOf(thumbnail: string, decoding: Decoding): Promise<string> {
  const sharp = await loadSharp();
  const { data, info } = await decoding(MAX_BYTES, () =>
    withDecodeErrors(() =>
      sharp(thumbnail, sharpInput(DEFAULT_IMAGE_LIMITS))
        .resize(SIDE, SIDE, { fit: 'inside' })
        .toColourspace('srgb')
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
