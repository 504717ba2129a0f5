// Pictures for benchmarks, generated in each run, since photos would bloat the repository.
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A photo-like picture of that size: coarse and fine structures, and sensor noise. */
export async function photo(width: number, height: number): Promise<Sharp> {
  const layer = async (scale: number, opacity: number) => {
    const size = { width: Math.ceil(width / scale), height: Math.ceil(height / scale) };
    const noise = await sharp({ create: { ...size, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    return sharp(noise).resize(width, height, { fit: 'fill' }).ensureAlpha(opacity).png({ compressionLevel: 0 }).toBuffer();
  };
  const [coarse, middle, fine] = await Promise.all([layer(24, 1), layer(5, 0.4), layer(2, 0.25)]);
  const { data, info } = await sharp(coarse)
    .composite([{ input: middle }, { input: fine }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
}

/** A camera's metadata, so that there is something to remove. */
export const CAMERA = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };

/** A page of lines and boxes in a few colours. */
export function screenshot(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3, 0xf4);
  let state = 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Letter strokes in some rows and columns of each line.
      if (y % 24 > 13 || x % 640 > 560) continue;
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      if (state >>> 30 === 0) pixels.fill(0x20, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The same picture with another resolution, which survives the removal of metadata: other bytes, the same work. */
export function variant(file: Buffer, number: number): Buffer {
  const [at, segment] = file[0] === 0xff ? [2, jfif(number)] : [33, pngResolution(number)];
  return Buffer.concat([file.subarray(0, at), segment, file.subarray(at)]);
}

function jfif(number: number): Buffer {
  const segment = Buffer.from('ffe000104a46494600010101000000000000', 'hex');
  segment.writeUInt32BE(0x00010001 + number, 12);
  return segment;
}

function pngResolution(number: number): Buffer {
  const chunk = Buffer.alloc(21);
  chunk.writeUInt32BE(9);
  chunk.write('pHYs', 4, 'latin1');
  chunk.writeUInt32BE(1 + number, 8);
  chunk.writeUInt32BE(1, 12);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17);
  return chunk;
}
