import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { ImageBytes } from './bytes.ts';
import { type DecodeOptions, decodeInWorker } from './decoder/decode.ts';
import { MAX_SVG_MEMORY } from './decoder/job.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import type { Size } from './heif/sizes.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { checkLimits } from './probe.ts';
import { readSvgHeader } from './svg-header.ts';

/** Drawings have a few kilobytes; larger ones are embedded photos, or maps that no browser renders in time. */
export const MAX_SVG_BYTES = 5 * 1024 * 1024;

/** A drawing that takes longer is unusable on a page, too. */
const DRAW_SECONDS = 10;

/** The trial renders the largest thumbnail, so an accepted drawing renders in every size. */
const TRIAL_SIDE = Math.max(...THUMBNAIL_WIDTHS);

/**
 * Checks an SVG before it is stored unchanged: size, UTF-8, its beginning, and that it renders, tried in a worker thread.
 * Returns its size in CSS pixels.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probeSvg(path: string, decoding: Decoding, decoder?: Partial<DecodeOptions>): Promise<Size> {
  const size = readSvgHeader(await readText(path));
  checkLimits({ ...size, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  await decoding(MAX_SVG_MEMORY, () => drawSvg(path, TRIAL_SIDE, decoder), UNKNOWN_PIXELS);
  return size;
}

/**
 * Renders an SVG on white with a longer side of about `side` pixels, never above its own size. Nothing is loaded from
 * elsewhere and no script runs; text is left out, since no fonts are available.
 *
 * @returns an uncompressed TIFF
 * @throws DamagedImageError, ImageTooLargeError
 */
export function drawSvg(path: string, side: number, decoder?: Partial<DecodeOptions>): Promise<Uint8Array<ArrayBuffer>> {
  const job = { kind: 'svg', source: path, pixels: DEFAULT_IMAGE_LIMITS.heicPixels, side } as const;
  return decodeInWorker(job, { seconds: DRAW_SECONDS, ...decoder });
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
