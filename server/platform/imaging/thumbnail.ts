import { writeFile } from 'node:fs/promises';
import { MAX_SVG_MEMORY } from './decoder/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { decodingBytes, decodingPixels, requireMemory } from './memory.ts';
import { readHeader } from './probe.ts';
import { sniffFile } from './sniff.ts';
import type { ImageLimits } from './types.ts';

const DRAWING = { bytes: MAX_SVG_MEMORY, pixels: UNKNOWN_PIXELS };

interface ThumbnailOptions {
  /** Maximum length of the longer side in pixels. */
  readonly width: number;
  readonly limits?: ImageLimits;
}

/**
 * Makes a JPEG whose longer side has at most `width` pixels, never enlarged. Upright, in sRGB, transparency on white, the
 * first frame of an animation, no metadata. Overwrites `output`.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function makeThumbnail(input: string, options: ThumbnailOptions, output: string, decoding: Decoding): Promise<void> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const format = await decoding.reading(() => sniffFile(input));
  const { bytes, pixels } = format === 'svg' ? DRAWING : await boundsOf(input, limits, decoding);
  const thumbnail = { input, format, width: options.width, limits };
  const jpeg = await decoding(bytes, () => decoders.run('thumbnail', thumbnail, limits.decodeSeconds), pixels);
  // A thumbnail is small; writing it here keeps disk faults apart from image faults.
  await writeFile(output, jpeg);
}

async function boundsOf(input: string, limits: ImageLimits, decoding: Decoding): Promise<{ bytes: number; pixels: number }> {
  const header = await decoding.reading(() => readHeader(input, limits));
  const bytes = decodingBytes(header);
  requireMemory(bytes, limits);
  return { bytes, pixels: decodingPixels(header) };
}
