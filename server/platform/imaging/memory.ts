import type { Metadata } from 'sharp';
import { ImageTooLargeError } from './errors.ts';
import type { ConvertedExt, ImageLimits } from './types.ts';

// Memory that images need while they are processed, estimated from their header. The factors are measured peaks for images of 9
// to 100 megapixels (decision 044).

/** Bytes per pixel of formats that are always decoded as a whole. */
const GIF_BYTES = 6;
const WEBP_BYTES = 7;
const ANIMATED_WEBP_BYTES = 13;

/** An interlaced PNG is assembled in memory as a whole. */
const INTERLACED = 1.12;

/** Rows that libvips keeps of an image that it reads row by row. */
const ROWS_KEPT = 2_000;

/** Bytes per pixel that encoders hold. */
const ENCODER_BYTES: Record<ConvertedExt, number> = { png: 0, jpg: 7, webp: 10, gif: 10, avif: 37 };
/** The same for an AVIF that is encoded fast. */
const FAST_AVIF_BYTES = 23;

/** Pixels from which an AVIF is encoded fast, with half the resolution of its colours: the careful way takes a second per megapixel and more. */
const FAST_AVIF_PIXELS = 4_000_000;
const MAX_AVIF_PIXELS = 40_000_000;

/**
 * A HEIC takes 22 bytes per pixel and an AVIF 18. They count half of that, or photos from ordinary cameras would be
 * rejected: the service may take a gibibyte while it decodes one.
 */
const HEIC_BYTES = 11;
const AVIF_BYTES = 9;
/** How much more they take with more than 8 bits. */
const DEEP = 1.5;

/** Red, green, blue and alpha of a decoded pixel. */
export const DECODED_BYTES = 4;

/** The metadata that sharp reads before decoding. */
export type Header = Pick<Metadata, 'format' | 'width' | 'height' | 'pages' | 'channels' | 'depth' | 'isProgressive'> & {
  /** Samples per pixel of a progressive JPEG. sharp reports every kind of subsampling as 4:2:0. */
  samples?: number;
};

/** The metadata that is needed from a picture. */
export type PictureHeader = Header & Pick<Metadata, 'hasAlpha'>;

/** In HEIF and TIFF, pages are separate pictures, not an animation. */
export function isAnimation({ format, pages = 1 }: Header): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp');
}

/** Peak memory of decoding, in bytes. */
export function decodingBytes(header: Header): number {
  const { format, width, height, pages = 1, channels, depth, isProgressive, samples = channels } = header;
  const pixels = width * height;
  const sampleBytes = depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4;
  if (format === 'gif') return pixels * GIF_BYTES;
  if (format === 'webp') return pixels * (pages > 1 ? ANIMATED_WEBP_BYTES : WEBP_BYTES);
  if (format === 'heif') return pixels * AVIF_BYTES * (sampleBytes > 1 ? DEEP : 1);
  // Coefficients of two bytes are collected from all scans before the first row is complete.
  if (format === 'jpeg' && isProgressive) return pixels * 2 * samples;
  const rowBytes = width * channels * sampleBytes;
  return isProgressive ? rowBytes * height * INTERLACED : rowBytes * Math.min(height, ROWS_KEPT);
}

/** The same with the file, of which there may be a copy with a colour profile before it is decoded. @param bytes those of decoding, and of what follows */
export function withFile({ format }: Pick<Header, 'format'>, fileSize: number, bytes: number): number {
  return fileSize + Math.max(bytes, format === 'png' || format === 'heif' ? fileSize : 0);
}

/** Peak memory of decoding an animation as one picture. libvips reads a GIF frame by frame, and holds all frames of a WebP with alpha. */
export function animationBytes(header: Header): number {
  const frames = header.format === 'webp' ? (header.pages ?? 1) : 0;
  return Math.max(decodingBytes(header), header.width * header.height * frames * DECODED_BYTES);
}

/** An AVIF takes twice as long per pixel as other formats, and a JPEG with a single scan a quarter. */
const PIXELS_WEIGHT = { heif: 2, jpeg: 0.25 };

/**
 * How much is decoded, in pixels of average cost.
 * @param frames those that are decoded
 */
export function decodingPixels({ format, width, height, isProgressive }: Header, frames = 1): number {
  const pixels = width * height * frames;
  if (format === 'heif') return pixels * PIXELS_WEIGHT.heif;
  return format === 'jpeg' && !isProgressive ? pixels * PIXELS_WEIGHT.jpeg : pixels;
}

export const isEncodedFast = (to: ConvertedExt, pixels: number): boolean => to === 'avif' && pixels > FAST_AVIF_PIXELS;

/** Additional memory of encoding, in bytes. */
export function encodingBytes(to: ConvertedExt, pixels: number): number {
  return pixels * (isEncodedFast(to, pixels) ? FAST_AVIF_BYTES : ENCODER_BYTES[to]);
}

/** Peak memory of converting a HEIC: it is decoded in a worker, then encoded. @param isDeep whether it keeps more than 8 bits */
export function heicBytes({ fileSize, pixels, isDeep }: { fileSize: number; pixels: number; isDeep: boolean }, to: ConvertedExt): number {
  const factor = isDeep ? DEEP : 1;
  return Math.max(fileSize + pixels * HEIC_BYTES * factor, pixels * DECODED_BYTES * factor + encodingBytes(to, pixels));
}

/** How many threads decode the tiles of a HEIC. */
export const MAX_HEIC_THREADS = 2;

/** What one of them takes, beside the file: libheif, and what it needs for a tile. */
const TILE_THREAD_BYTES = 40_000_000;

/** The same for a HEIC whose tiles are decoded in threads, which share the file and the result. */
export function tilesBytes(fileSize: number, pixels: number): number {
  return fileSize * (2 + MAX_HEIC_THREADS) + pixels * 3 + TILE_THREAD_BYTES * MAX_HEIC_THREADS;
}

/** The same for a BMP, whose decoder holds the file and the result in memory. */
export function bmpBytes(fileSize: number, pixels: number, to: ConvertedExt): number {
  return pixels * DECODED_BYTES + Math.max(fileSize, encodingBytes(to, pixels));
}

/**
 * Checks whether a conversion is possible. An AVIF may take more than the memory of all, and then runs alone: photos of ordinary cameras need it.
 * @param pixels those of the result
 * @throws ImageTooLargeError
 */
export function requireConvertible({ to, pixels, bytes }: { to: ConvertedExt; pixels: number; bytes: number }, limits: ImageLimits): void {
  if (to !== 'avif') requireMemory(bytes, limits);
  else if (pixels > MAX_AVIF_PIXELS)
    throw new ImageTooLargeError(
      `The picture has ${Math.ceil(pixels / 1e6)} megapixels, but an AVIF can have at most ${MAX_AVIF_PIXELS / 1e6}. Make it smaller, or choose another format.`,
    );
}

/** @throws ImageTooLargeError when one image alone would exceed the memory of all */
export function requireMemory(bytes: number, limits: ImageLimits): void {
  if (bytes > limits.memory)
    throw new ImageTooLargeError(
      'The picture takes too much memory to decode. Make it smaller or save it as a non-progressive JPEG, and try again.',
    );
}
