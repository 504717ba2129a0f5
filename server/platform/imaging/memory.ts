import type { Metadata } from 'sharp';
import { ImageTooLargeError } from './errors.ts';
import type { ConvertedExt, ImageLimits } from './types.ts';

// How much memory pictures take while they are worked on, by their header. The factors are the measured peaks of pictures of 9 to
// 100 megapixels (docs/decisions/044-memory-of-pictures.md).

/** Bytes a pixel of formats that are decoded as a whole, whatever is wanted of them. */
const GIF_BYTES = 6;
const WEBP_BYTES = 7;
const ANIMATED_WEBP_BYTES = 13;

/** An interlaced PNG is put together as a whole. */
const INTERLACED = 1.12;

/** Where a picture is read row by row, libvips keeps about so many rows. */
const ROWS_KEPT = 2_000;

/** Bytes a pixel that encoders hold. */
const ENCODER_BYTES: Record<ConvertedExt, number> = { png: 0, jpg: 7, webp: 10, gif: 10, avif: 37 };

/**
 * A HEIC takes 22 bytes a pixel and an AVIF 18. They count half of that: the service may take a gibibyte while one is decoded, or
 * photos of ordinary cameras would be refused.
 */
const HEIC_BYTES = 11;
const AVIF_BYTES = 9;

/** What a decoder worker hands over: red, green, blue and alpha. */
const DECODED_BYTES = 4;

/** What sharp says of a picture before it decodes it. */
export type Header = Pick<Metadata, 'format' | 'width' | 'height' | 'pages' | 'channels' | 'depth' | 'isProgressive'> & {
  /** Of a progressive JPEG: samples a pixel. sharp calls every kind of subsampling 4:2:0. */
  samples?: number;
};

/** Bytes that decoding a picture takes at its peak. */
export function decodingBytes(header: Header): number {
  const { format, width, height, pages = 1, channels, depth, isProgressive, samples = channels } = header;
  const pixels = width * height;
  const sampleBytes = depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4;
  if (format === 'gif') return pixels * GIF_BYTES;
  if (format === 'webp') return pixels * (pages > 1 ? ANIMATED_WEBP_BYTES : WEBP_BYTES);
  if (format === 'heif') return pixels * AVIF_BYTES * (sampleBytes > 1 ? 1.5 : 1);
  // Coefficients of two bytes are gathered from all scans before there is a first row.
  if (format === 'jpeg' && isProgressive) return pixels * 2 * samples;
  const rowBytes = width * channels * sampleBytes;
  return isProgressive ? rowBytes * height * INTERLACED : rowBytes * Math.min(height, ROWS_KEPT);
}

/** Bytes that encoding takes on top. */
export function encodingBytes(to: ConvertedExt, pixels: number): number {
  return pixels * ENCODER_BYTES[to];
}

/** What converting a HEIC counts: first it is decoded in a worker, then encoded. */
export function heicBytes(fileSize: number, pixels: number, to: ConvertedExt): number {
  return Math.max(fileSize + pixels * HEIC_BYTES, pixels * DECODED_BYTES + encodingBytes(to, pixels));
}

/** The same for a BMP, whose decoder has the file and the result in memory. */
export function bmpBytes(fileSize: number, pixels: number, to: ConvertedExt): number {
  return pixels * DECODED_BYTES + Math.max(fileSize, encodingBytes(to, pixels));
}

/** @throws ImageTooLargeError where a picture alone would take more than all together may */
export function requireMemory(bytes: number, limits: ImageLimits): void {
  if (bytes > limits.memory)
    throw new ImageTooLargeError(
      'The picture takes too much memory to decode. Make it smaller, or save it as JPEG that is not progressive, and retry.',
    );
}
