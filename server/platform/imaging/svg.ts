import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { ImageBytes } from './bytes.ts';
import { type DecodeOptions, decodeInWorker } from './decoder/decode.ts';
import { MAX_SVG_MEMORY } from './decoder/job.ts';
import type { Decoding } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import type { Size } from './heif/sizes.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { checkLimits } from './probe.ts';
import { readSvgHeader } from './svg-header.ts';

/** Drawings are some kilobytes; larger ones are photos in disguise or maps that no browser draws in time. */
export const MAX_SVG_BYTES = 5 * 1024 * 1024;

/** A drawing that takes longer than this is no use as a picture on a page either. */
const DRAW_SECONDS = 10;

/** What is drawn for trial is the largest thumbnail: what is accepted can be shown in every size. */
const TRIAL_SIDE = Math.max(...THUMBNAIL_WIDTHS);

/**
 * Checks an SVG before it is stored as it comes: size, UTF-8, its beginning, and that it can be drawn at all, for trial, in a
 * worker thread. Answers its size in CSS pixels.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probeSvg(path: string, decoding: Decoding, decoder?: Partial<DecodeOptions>): Promise<Size> {
  const size = readSvgHeader(await readText(path));
  checkLimits({ ...size, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  await decoding(MAX_SVG_MEMORY, () => drawSvg(path, TRIAL_SIDE, decoder));
  return size;
}

/**
 * Draws an SVG on white, its longer side about `side` pixels and never larger than it says it is. Nothing is loaded from
 * elsewhere and no script runs; without fonts at hand, text is left out.
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
    throw new ImageTooLargeError(`An SVG may have at most ${MAX_SVG_BYTES / 1024 / 1024} MiB. Make it simpler, or upload it as PNG.`);
  }
  const bytes = await file.copy({ from: 0, to: file.size });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DamagedImageError('The SVG is not in UTF-8. Save it as UTF-8 and retry.', { cause: error });
  }
}
