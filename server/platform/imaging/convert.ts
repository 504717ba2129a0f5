import { extOf, formatsWith } from '#api/formats.ts';
import { convertBmp } from './bmp/bmp.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { convertHeic } from './heif/heic.ts';
import type { ForeignPicture, Of, WebPicture } from './inspect.ts';
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
import type { Converted, ConvertedExt, ConvertOptions } from './types.ts';

/** Formats that hold an animation; converting to another keeps the first frame. */
const ANIMATED: ReadonlySet<ConvertedExt> = new Set(formatsWith('written animated').map(extOf));

/**
 * Converts a picture, upright and in sRGB, into the file `output`. JPEG flattens transparency onto white. GIF and WebP animations stay
 * animated in GIF and WebP.
 *
 * @throws DamagedImageError, ImageTooLargeError, UnsupportedImageError
 */
export async function convert(
  found: Of<WebPicture | ForeignPicture>,
  options: ConvertOptions,
  output: string,
  decoding: Decoding,
): Promise<Converted> {
  const { file } = found;
  if ('heic' in found) return convertHeic(file, found.heic, options, output, decoding);
  if ('bmp' in found) return convertBmp(file, found.bmp, options, output, decoding);
  const { header } = found;
  const { to, limits = DEFAULT_IMAGE_LIMITS } = options;
  const bytes = convertingBytes(header, options);
  const encoded = encodedPixels(header, options);
  requireConvertible({ to, pixels: encoded, bytes }, limits);
  const animated = staysAnimated(header, options);
  const fast = isEncodedFast(to, encoded);
  const pixels = decodingPixels(header, animated ? header.pages : 1);
  const convertIt = () => decoders.run('convert', { options, limits, animated, fast }, limits.decodeSeconds, { input: file, output });
  return decoding(withFile(header, file.size, bytes), convertIt, pixels);
}

/**
 * Tries a tiny picture to find out whether this build decodes HEIC.
 *
 * @throws when no decoder could run the test, which says nothing about the build
 */
export function probeHeic(): Promise<boolean> {
  return decoders.run('decodesHeic', {}, DEFAULT_IMAGE_LIMITS.decodeSeconds);
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
