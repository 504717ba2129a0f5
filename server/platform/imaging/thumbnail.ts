import { writeFile } from 'node:fs/promises';
import { MAX_SVG_MEMORY } from './decoder/job.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { decodingBytes, decodingPixels, requireMemory } from './memory.ts';
import { readHeader } from './probe.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';
import { sniffFile } from './sniff.ts';
import { drawSvg } from './svg.ts';
import type { ImageLimits } from './types.ts';

const QUALITY = 80;

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
  const isDrawing = (await decoding.reading(() => sniffFile(input))) === 'svg';
  const jpeg = await (isDrawing
    ? shrinkDrawing(input, options.width, limits, decoding)
    : shrinkPicture(input, options.width, limits, decoding));
  // A thumbnail is small; writing it here keeps disk faults apart from image faults.
  await writeFile(output, jpeg);
}

function shrinkDrawing(input: string, width: number, limits: ImageLimits, decoding: Decoding): Promise<Buffer> {
  return decoding(MAX_SVG_MEMORY, async () => shrink(await drawSvg(input, width), width, limits), UNKNOWN_PIXELS);
}

async function shrinkPicture(input: string, width: number, limits: ImageLimits, decoding: Decoding): Promise<Buffer> {
  const header = await decoding.reading(() => readHeader(input, limits));
  const bytes = decodingBytes(header);
  requireMemory(bytes, limits);
  return decoding(bytes, () => shrink(input, width, limits), decodingPixels(header));
}

async function shrink(source: string | Uint8Array, width: number, limits: ImageLimits): Promise<Buffer> {
  const sharp = await loadSharp();
  return withDecodeErrors(() =>
    sharp(source, { ...sharpInput(limits), pages: 1 })
      .autoOrient()
      .resize(width, width, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .timeout({ seconds: limits.decodeSeconds })
      .jpeg({ quality: QUALITY, progressive: false, mozjpeg: false })
      .toBuffer(),
  );
}
