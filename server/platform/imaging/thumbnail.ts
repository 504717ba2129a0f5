import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ImageBytes } from './bytes.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { readHeader } from './inspect.ts';
import { readJpegFrame } from './jpeg/check.ts';
import { DEFAULT_IMAGE_LIMITS, DRAW_SECONDS } from './limits.ts';
import { decodingBytes, decodingPixels, requireMemory, withFile } from './memory.ts';
import { sniffImage } from './sniff.ts';
import type { ImageHashes, ImageLimits, ThumbnailType } from './types.ts';

const DRAWING = { bytes: MAX_SVG_MEMORY, pixels: UNKNOWN_PIXELS };

interface ThumbnailOptions {
  /** Maximum length of the longer side in pixels. */
  readonly width: number;
  /** Default: JPEG. */
  readonly type?: ThumbnailType;
  readonly withHashes?: boolean;
  readonly limits?: ImageLimits;
}

export interface MadeThumbnail {
  picture: Buffer;
  /** If requested: they cost less now than later. */
  hashes: ImageHashes | undefined;
}

/**
 * Makes a picture whose longer side has at most `width` pixels, never enlarged. Upright, in sRGB, the first frame of an animation, no metadata;
 * in a JPEG, transparency on grey. Overwrites `output` with it and its checksum.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function makeThumbnail(
  input: string,
  { width, type = 'jpeg', withHashes = false, limits = DEFAULT_IMAGE_LIMITS }: ThumbnailOptions,
  output: string,
  decoding: Decoding,
): Promise<MadeThumbnail> {
  const { format, bytes, pixels } = await decoding.reading(() => decodingNeeds(input, limits));
  const work = { format, width, type, limits, withHashes };
  const seconds = format === 'svg' ? DRAW_SECONDS : limits.decodeSeconds;
  const { picture, hashes } = await decoding(bytes, () => decoders.run('thumbnail', work, seconds, { input }), pixels);
  // A thumbnail is small; writing it here keeps disk faults apart from image faults.
  const file = thumbnailFile(picture);
  await writeFile(output, file);
  return { picture: file.subarray(0, picture.length), hashes };
}

/** What decoding the first frame of a picture takes. @throws DamagedImageError, ImageTooLargeError */
export async function decodingNeeds(input: string, limits: ImageLimits) {
  await using file = await ImageBytes.open(input);
  const format = await sniffImage(file);
  if (format === 'svg') return { format, ...DRAWING };
  const header = (format === 'jpeg' ? await readJpegFrame(file) : undefined) ?? (await readHeader(input, limits));
  const bytes = decodingBytes(header);
  requireMemory(bytes, limits);
  return { format, bytes: withFile(header, file.size, bytes), pixels: decodingPixels(header) };
}

/**
 * Whether nothing behind an image can be seen through it, as far as its header says.
 * @throws DamagedImageError
 */
export function isOpaque(input: string, decoding: Decoding): Promise<boolean> {
  return decoding.reading(async () => {
    await using file = await ImageBytes.open(input);
    const format = await sniffImage(file);
    return format === 'jpeg' || (format !== 'svg' && !(await readHeader(input, DEFAULT_IMAGE_LIMITS)).hasAlpha);
  });
}

/** Decoding a thumbnail takes less memory than this. */
const HASH_BYTES = 16 * 1024 * 1024;

/**
 * The hashes of a thumbnail.
 * @throws DamagedImageError
 */
export function hashesOf(thumbnail: string, decoding: Decoding): Promise<ImageHashes> {
  return decoding(HASH_BYTES, () => decoders.run('hashes', {}, DEFAULT_IMAGE_LIMITS.decodeSeconds, { input: thumbnail }));
}

const CHECKSUM_BYTES = 4;

// Flushing thumbnails would cost more than regenerating the few that a power cut damages, so each file ends with a checksum (decision 126).

/** The contents of a thumbnail's file: the picture and its CRC-32. */
export function thumbnailFile(picture: Uint8Array): Buffer {
  const file = Buffer.allocUnsafe(picture.length + CHECKSUM_BYTES);
  file.set(picture);
  file.writeUInt32LE(crc32(picture), picture.length);
  return file;
}

/** The picture in a thumbnail's file; undefined when it's damaged. */
export function checkedIn(file: Buffer): Buffer | undefined {
  if (file.length <= CHECKSUM_BYTES) return undefined;
  const picture = file.subarray(0, -CHECKSUM_BYTES);
  return file.readUInt32LE(picture.length) === crc32(picture) ? picture : undefined;
}

/** The JPEG in a thumbnail's file; undefined when it's damaged or of version 0.4. */
export const thumbnailIn = (file: Buffer): Buffer | undefined =>
  file.length > CHECKSUM_BYTES && file.readUInt16BE(0) === 0xffd8 ? checkedIn(file) : undefined;

/**
 * The JPEG in a thumbnail's file of version 0.4, which has no checksum and white behind what is transparent; undefined for other files. It need
 * only begin and end as JPEGs do.
 */
export async function readOldThumbnail(path: string): Promise<Buffer | undefined> {
  const file = await readFile(path).catch(() => undefined);
  if (!file || file.length <= CHECKSUM_BYTES || thumbnailIn(file)) return undefined;
  return file.readUInt16BE(0) === 0xffd8 && file.readUInt16BE(file.length - 2) === 0xffd9 ? file : undefined;
}

/** Whether a thumbnail's file exists, can be read and is complete. */
export async function isIntact(path: string): Promise<boolean> {
  const file = await readFile(path).catch(() => undefined);
  return file !== undefined && thumbnailIn(file) !== undefined;
}
