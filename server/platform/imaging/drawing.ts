import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import type { ImageBytes } from './bytes.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { ImageTooLargeError } from './errors.ts';
import { checkLimits, DEFAULT_IMAGE_LIMITS, DRAW_SECONDS } from './limits.ts';
import type { Size } from './types.ts';

/** The trial renders the largest thumbnail, so an accepted drawing renders in every size. */
const TRIAL_SIDE = Math.max(...THUMBNAIL_WIDTHS);

/** Drawings have a few kilobytes; larger ones are embedded photos, or maps that no browser renders in time. */
export const MAX_SVG_BYTES = 5 * 1024 * 1024;

/**
 * Checks the size of an SVG, UTF-8 and its beginning. Returns its size in CSS pixels.
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function readSvg(file: ImageBytes): Promise<Size> {
  if (file.size > MAX_SVG_BYTES) {
    throw new ImageTooLargeError(`SVG files can be at most ${MAX_SVG_BYTES / 1024 / 1024} MB. Simplify the file, or upload it as PNG.`);
  }
  const size = await decoders.run('svgSize', {}, DRAW_SECONDS, { input: file.content });
  checkLimits({ ...size, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  return size;
}

/** Checks that an SVG renders. @throws DamagedImageError, ImageTooLargeError */
export function tryDrawing(file: FileContent, decoding: Decoding): Promise<void> {
  const draw = () => decoders.run('drawing', { side: TRIAL_SIDE }, DRAW_SECONDS, { input: file });
  return decoding(MAX_SVG_MEMORY, draw, UNKNOWN_PIXELS);
}
