import type { FileContent } from '#server/platform/files/staged-file.ts';
import type { ImageBytes } from '../bytes.ts';
import { type ForeignColours, foreignColours } from '../colour/icc/colours.ts';
import { MAX_ICC_BYTES } from '../colour/icc/reduce.ts';
import { decoders } from '../decoders.ts';
import type { Decoding } from '../decoding.ts';
import { checkLimits, DEFAULT_IMAGE_LIMITS } from '../limits.ts';
import { bmpBytes, isEncodedFast, requireConvertible } from '../memory.ts';
import type { Converted, ConvertOptions, ImageLimits, Size } from '../types.ts';
import { BMP_HEADER_BYTES, readBmpHeader } from './header.ts';

export interface BmpFacts extends Size {
  /** Passed to the decoder. */
  readonly colours: ForeignColours;
}

/** Reads a BMP's headers and checks its limits. Nothing is decoded. @throws DamagedImageError, ImageTooLargeError, UnsupportedImageError */
export async function readBmp(file: ImageBytes, limits: ImageLimits): Promise<BmpFacts> {
  const { width, height, profile } = readBmpHeader(await file.copy({ from: 0, to: Math.min(file.size, BMP_HEADER_BYTES) }));
  checkLimits({ width, height, frames: 1 }, { ...limits, pixels: limits.heicPixels });
  const isReadable = profile && profile.to <= file.size && profile.to - profile.from <= MAX_ICC_BYTES;
  return { width, height, colours: isReadable ? foreignColours(await file.copy(profile)) : {} };
}

/**
 * Converts a BMP, which sharp does not read: decoded in JavaScript, encoded by sharp.
 *
 * @throws DamagedImageError, ImageTooLargeError, UnsupportedImageError
 */
export function convertBmp(
  file: FileContent & { size: number },
  { width, height, colours }: BmpFacts,
  options: ConvertOptions,
  output: string,
  decoding: Decoding,
): Promise<Converted> {
  const { to, limits = DEFAULT_IMAGE_LIMITS } = options;
  const pixels = width * height;
  const bytes = bmpBytes(file.size, pixels, to);
  requireConvertible({ to, pixels, bytes }, limits);
  const job = { kind: 'bmp', pixels: limits.heicPixels } as const;
  const conversion = { job, colours, options, limits, fast: isEncodedFast(to, pixels) };
  const convertIt = () => decoders.run('convertForeign', conversion, 2 * limits.decodeSeconds, { input: file, output });
  return decoding(bytes, convertIt, pixels);
}
