import { stat } from 'node:fs/promises';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { ImageTooLargeError } from './errors.ts';
import type { Size } from './heif/sizes.ts';
import { DEFAULT_IMAGE_LIMITS, DRAW_SECONDS } from './limits.ts';
import { checkLimits } from './probe.ts';

/** The trial renders the largest thumbnail, so an accepted drawing renders in every size. */
const TRIAL_SIDE = Math.max(...THUMBNAIL_WIDTHS);

/** Drawings have a few kilobytes; larger ones are embedded photos, or maps that no browser renders in time. */
export const MAX_SVG_BYTES = 5 * 1024 * 1024;

/**
 * Checks an SVG before it is stored unchanged: size, UTF-8, its beginning, and that it renders. Returns its size in CSS pixels.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probeSvg(path: string, decoding: Decoding): Promise<Size> {
  if ((await stat(path)).size > MAX_SVG_BYTES) {
    throw new ImageTooLargeError(`SVG files can be at most ${MAX_SVG_BYTES / 1024 / 1024} MB. Simplify the file, or upload it as PNG.`);
  }
  const size = await decoding.reading(() => decoders.run('svgSize', {}, DRAW_SECONDS, { input: path }));
  checkLimits({ ...size, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  const draw = () => decoders.run('drawing', { side: TRIAL_SIDE }, DRAW_SECONDS, { input: path });
  await decoding(MAX_SVG_MEMORY, draw, UNKNOWN_PIXELS);
  return size;
}
