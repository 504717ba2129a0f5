import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of 4 × 4 pixels that depend on the number, generated in microseconds for tests that need thousands of different pictures. */
export function tinyPng(number: number): Buffer {
  const pixels = Buffer.alloc(4 * (1 + 4 * 3));
  pixels.writeUInt32BE(number, 1);
  pixels.writeUInt32BE(~number >>> 0, 14);
  // Eight bits per channel, RGB.
  return encode(4, 4, [8, 2], [chunk('IDAT', deflateSync(pixels))]);
}

/** A PNG of any size in one colour, of a bit per pixel: the fastest to make and to decode. */
export function plainPng(width: number, height: number, colour: readonly [number, number, number]): Buffer {
  const pixels = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return encode(width, height, [1, 3], [chunk('PLTE', Buffer.from(colour)), chunk('IDAT', deflateSync(pixels, { level: 1 }))]);
}

function encode(width: number, height: number, bitsAndColourType: [number, number], chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(bitsAndColourType, 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const result = Buffer.alloc(named.length + 8);
  result.writeUInt32BE(data.length, 0);
  result.set(named, 4);
  result.writeUInt32BE(crc32(named), named.length + 4);
  return result;
}
