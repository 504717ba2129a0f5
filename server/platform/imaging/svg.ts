import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { ImageBytes } from './bytes.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import type { Size } from './heif/sizes.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { checkLimits } from './probe.ts';
import { readSvgHeader } from './svg-header.ts';

/** Drawings have a few kilobytes; larger ones are embedded photos, or maps that no browser renders in time. */
export const MAX_SVG_BYTES = 5 * 1024 * 1024;

/** The trial renders the largest thumbnail, so an accepted drawing renders in every size. */
const TRIAL_SIDE = Math.max(...THUMBNAIL_WIDTHS);

/**
 * Checks an SVG before it is stored unchanged: size, UTF-8, its beginning, and that it renders. Returns its size in CSS pixels.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probeSvg(path: string, decoding: Decoding): Promise<Size> {
  const size = readSvgHeader(await readText(path));
  checkLimits({ ...size, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  const draw = () => decoders.run('drawing', { input: path, side: TRIAL_SIDE }, DEFAULT_IMAGE_LIMITS.decodeSeconds);
  await decoding(MAX_SVG_MEMORY, draw, UNKNOWN_PIXELS);
  return size;
}

async function readText(path: string): Promise<string> {
  await using file = await ImageBytes.open(path);
  if (file.size > MAX_SVG_BYTES) {
    throw new ImageTooLargeError(`SVG files can be at most ${MAX_SVG_BYTES / 1024 / 1024} MB. Simplify the file, or upload it as PNG.`);
  }
  const bytes = await file.copy({ from: 0, to: file.size });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DamagedImageError('The SVG isn’t in UTF-8. Save it as UTF-8 and try again.', { cause: error });
  }
}
