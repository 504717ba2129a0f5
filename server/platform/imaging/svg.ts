import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import type { Size } from './heif/sizes.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { checkLimits } from './probe.ts';

/** The trial renders the largest thumbnail, so an accepted drawing renders in every size. */
const TRIAL_SIDE = Math.max(...THUMBNAIL_WIDTHS);

/**
 * Checks an SVG before it is stored unchanged: size, UTF-8, its beginning, and that it renders. Returns its size in CSS pixels.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probeSvg(path: string, decoding: Decoding): Promise<Size> {
  const seconds = DEFAULT_IMAGE_LIMITS.decodeSeconds;
  const size = await decoding.reading(() => decoders.run('svgSize', { input: path }, seconds));
  checkLimits({ ...size, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  const draw = () => decoders.run('drawing', { input: path, side: TRIAL_SIDE }, seconds);
  await decoding(MAX_SVG_MEMORY, draw, UNKNOWN_PIXELS);
  return size;
}
