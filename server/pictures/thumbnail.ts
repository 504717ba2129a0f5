import { writeFile } from 'node:fs/promises';
import { DEFAULT_PICTURE_LIMITS } from './limits.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';
import { sniffFile } from './sniff.ts';
import { drawSvg } from './svg.ts';
import type { PictureLimits } from './types.ts';

const QUALITY = 80;

/**
 * Makes a JPEG whose longer side has at most `width` pixels; a smaller picture keeps its size. Upright, in sRGB,
 * transparency on white, the first frame of an animation, no metadata. It overwrites `output`.
 * How many run at once is up to the caller.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function makeThumbnail(
  input: string,
  { width, limits = DEFAULT_PICTURE_LIMITS }: { width: number; limits?: PictureLimits },
  output: string,
): Promise<void> {
  const sharp = await loadSharp();
  const source = (await sniffFile(input)) === 'svg' ? await drawSvg(input, width) : input;
  const jpeg = await withDecodeErrors(() =>
    sharp(source, { ...sharpInput(limits), pages: 1 })
      .autoOrient()
      .resize(width, width, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .timeout({ seconds: limits.decodeSeconds })
      .jpeg({ quality: QUALITY, progressive: false, mozjpeg: false })
      .toBuffer(),
  );
  // A thumbnail is small; writing it here keeps faults of the disk apart from faults of the picture.
  await writeFile(output, jpeg);
}
