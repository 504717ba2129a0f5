import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

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
