import { stat } from 'node:fs/promises';
import { extOf, formatsWith } from '#api/formats.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import {
  animationBytes,
  decodingBytes,
  decodingPixels,
  encodingBytes,
  type Header,
  isAnimation,
  isEncodedFast,
  requireConvertible,
  withFile,
} from './memory.ts';
import { checkLimits, describe, readHeader } from './probe.ts';
import type { Converted, ConvertedExt, ConvertOptions } from './types.ts';

/** Formats that hold an animation; converting to another keeps the first frame. */
const ANIMATED: ReadonlySet<ConvertedExt> = new Set(formatsWith('written animated').map(extOf));

/**
 * Converts the image in `input` (any format that sharp reads), upright and in sRGB, into the file `output`.
 * JPEG flattens transparency onto white. GIF and WebP animations stay animated in GIF and WebP.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function convert(input: string, options: ConvertOptions, output: string, decoding: Decoding): Promise<Converted> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const header = await decoding.reading(() => readHeader(input, limits));
  checkLimits(describe(header), limits);
  const bytes = convertingBytes(header, options);
  const encoded = encodedPixels(header, options);
  requireConvertible({ to: options.to, pixels: encoded, bytes }, limits);
  const animated = staysAnimated(header, options);
  const fast = isEncodedFast(options.to, encoded);
  const pixels = decodingPixels(header, animated ? header.pages : 1);
  const convertIt = () => decoders.run('convert', { options, limits, animated, fast }, limits.decodeSeconds, { input, output });
  return decoding(withFile(header, (await stat(input)).size, bytes), convertIt, pixels);
}

/** Peak memory of `convert`, in bytes. */
export function convertingBytes(header: Header, options: Pick<ConvertOptions, 'to' | 'maxSide'>): number {
  const decoded = staysAnimated(header, options) ? animationBytes(header) : decodingBytes(header);
  return decoded + encodingBytes(options.to, encodedPixels(header, options));
}

function encodedPixels(header: Header, options: Pick<ConvertOptions, 'to' | 'maxSide'>): number {
  const { width, height, pages = 1 } = header;
  const scale = options.maxSide ? Math.min(1, options.maxSide / Math.max(width, height)) : 1;
  return width * height * scale ** 2 * (staysAnimated(header, options) ? pages : 1);
}

function staysAnimated(header: Header, { to }: Pick<ConvertOptions, 'to'>): boolean {
  return ANIMATED.has(to) && isAnimation(header);
}
