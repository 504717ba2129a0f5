import { stat } from 'node:fs/promises';
import { ImageBytes } from './bytes.ts';
import { type ForeignColours, foreignColours } from './colour/icc/colours.ts';
import { MAX_ICC_BYTES } from './colour/icc/reduce.ts';
import { BMP_HEADER_BYTES, readBmpHeader } from './decoder/threads/bmp-header.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { bmpBytes, isEncodedFast, requireConvertible } from './memory.ts';
import { checkLimits } from './probe.ts';
import type { Converted, ConvertOptions, ImageLimits, Probe } from './types.ts';

/** Reads a BMP's headers and checks its limits. Nothing is decoded. */
export async function probeBmp(path: string, limits: ImageLimits = DEFAULT_IMAGE_LIMITS): Promise<Probe & { colours: ForeignColours }> {
  await using file = await ImageBytes.open(path);
  const { width, height, masks, profile } = readBmpHeader(await file.copy({ from: 0, to: Math.min(file.size, BMP_HEADER_BYTES) }));
  checkLimits({ width, height, frames: 1 }, { ...limits, pixels: limits.heicPixels });
  const isReadable = profile && profile.to <= file.size && profile.to - profile.from <= MAX_ICC_BYTES;
  const colours = isReadable ? foreignColours(await file.copy(profile)) : {};
  return { width, height, frames: 1, animated: false, hasAlpha: masks[3] !== 0, colours };
}

/**
 * Converts a BMP, which sharp does not read: decoded in JavaScript, encoded by sharp.
 *
 * @throws DamagedImageError, ImageTooLargeError, UnsupportedImageError
 */
export async function convertBmp(input: string, options: ConvertOptions, output: string, decoding: Decoding): Promise<Converted> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const { width, height, colours } = await probeBmp(input, limits);
  const pixels = width * height;
  const bytes = bmpBytes((await stat(input)).size, pixels, options.to);
  requireConvertible({ to: options.to, pixels, bytes }, limits);
  const job = { kind: 'bmp', pixels: limits.heicPixels } as const;
  const conversion = { job, colours, options, limits, fast: isEncodedFast(options.to, pixels) };
  const convertIt = () => decoders.run('convertForeign', conversion, 2 * limits.decodeSeconds, { input, output });
  return decoding(bytes, convertIt, pixels);
}
