import { deflateSync } from 'node:zlib';
import type { Size } from '#server/platform/imaging/types.ts';
import { pngChunk } from './private-metadata.ts';

/** A PNG whose header declares any size, with the given number of black pixels. */
export function blackPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const data = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF of many frames, each a few bytes in the file and a whole canvas in memory. */
export function gifBomb(width: number, height: number, frames: number, frame = { width: 1, height: 1 }): Buffer {
  const canvas = Buffer.alloc(13);
  canvas.write('GIF89a', 'latin1');
  canvas.writeUInt16LE(width, 6);
  canvas.writeUInt16LE(height, 8);
  canvas.writeUInt8(0x80, 10);
  const palette = Buffer.from([0, 0, 0, 255, 255, 255]);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]);
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x44, 0x01, 0]);
  image.writeUInt16LE(frame.width, 5);
  image.writeUInt16LE(frame.height, 7);
  return Buffer.concat([canvas, palette, ...new Array<Buffer>(frames).fill(Buffer.concat([control, image])), Buffer.from([0x3b])]);
}

/** An animated WebP of many frames, all of them the picture in `plain`, a WebP of the simple format, in a corner of the canvas. */
export function repeatedWebp(plain: Buffer, frame: Size, frames: number, canvas = frame): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data]);
  };
  const sizeOf = ({ width, height }: Size) => {
    const size = Buffer.alloc(6);
    size.writeUIntLE(width - 1, 0, 3);
    size.writeUIntLE(height - 1, 3, 3);
    return size;
  };
  const each = chunk('ANMF', Buffer.concat([Buffer.alloc(6), sizeOf(frame), Buffer.from([100, 0, 0, 0]), plain.subarray(12)]));
  const head = chunk('VP8X', Buffer.concat([Buffer.from([0x02, 0, 0, 0]), sizeOf(canvas)]));
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), head, chunk('ANIM', Buffer.alloc(6)), ...new Array<Buffer>(frames).fill(each)]));
}

/** An extended WebP whose canvas has any size up to 2²⁴ per side. */
export function webpBomb(plain: Buffer, width: number, height: number): Buffer {
  const chunk = Buffer.alloc(18);
  chunk.write('VP8X', 'latin1');
  chunk.writeUInt32LE(10, 4);
  chunk.writeUIntLE(width - 1, 12, 3);
  chunk.writeUIntLE(height - 1, 15, 3);
  const file = Buffer.concat([plain.subarray(0, 12), chunk, plain.subarray(12)]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Overwrites every size that an AVIF or HEIC declares. */
export function resizedHeif(plain: Buffer, width: number, height: number): Buffer {
  const file = Buffer.from(plain);
  for (let at = file.indexOf('ispe'); at !== -1; at = file.indexOf('ispe', at + 4)) {
    file.writeUInt32BE(width, at + 8);
    file.writeUInt32BE(height, at + 12);
  }
  return file;
}

/** Overwrites the size that a PNG declares. */
export function resizedPng(plain: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(plain.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([plain.subarray(0, 8), pngChunk('IHDR', header), plain.subarray(33)]);
}

/** Overwrites the size that a progressive JPEG declares. */
export function resizedProgressiveJpeg(plain: Buffer, width: number, height: number): Buffer {
  const file = Buffer.from(plain);
  const frame = file.indexOf(Buffer.from([0xff, 0xc2]));
  file.writeUInt16BE(height, frame + 5);
  file.writeUInt16BE(width, frame + 7);
  return file;
}
