import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bitmap } from '#test/helpers/pictures/bitmaps.ts';
import { svg } from '#test/helpers/pictures/drawings.ts';
import { animatedGif, animatedWebp, avif, gif, image, photoJpeg, png, tiff, webp } from '#test/helpers/pictures/images.ts';
import { apng, privateAvif, privateGif, privateJpeg, privatePng, privateWebp } from '#test/helpers/pictures/private-metadata.ts';
import type { Random } from './random.ts';

const HEIC = join(import.meta.dirname, '../fixtures/heic');

/** Valid pictures of every format that the service takes, in variants. */
export async function corpus(): Promise<Buffer[]> {
  return [
    ...readdirSync(HEIC).map((name) => readFileSync(join(HEIC, name))),
    ...(await Promise.all([
      photoJpeg({ gps: true }),
      photoJpeg({ progressive: true, icc: 'p3', orientation: 6 }),
      photoJpeg({ icc: 'cmyk' }),
      privateJpeg(),
      png(),
      png({ alpha: true, seed: 2 }),
      image().png({ progressive: true }).toBuffer(),
      image().png({ palette: true }).toBuffer(),
      image().toColourspace('rgb16').png().toBuffer(),
      privatePng(),
      apng(),
      gif(),
      animatedGif({ frames: 4 }),
      privateGif(),
      webp({ alpha: true }),
      image().webp({ lossless: true }).toBuffer(),
      animatedWebp({ frames: 4 }),
      privateWebp(),
      avif({ width: 160, height: 100 }),
      privateAvif(),
      tiff(),
      image().tiff({ compression: 'none', tile: true }).toBuffer(),
    ])),
    ...([1, 4, 8, 16, 24, 32] as const).map((bits) => bitmap({ bits })),
    bitmap({ bits: 8, runs: true }),
    svg(),
  ];
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** Changes a picture in one to six places: bits, bytes, numbers, and whole ranges. */
export function mutate(random: Random, original: Buffer, pictures: readonly Buffer[]): Buffer {
  let bytes: Buffer = Buffer.from(original);
  for (let left = 1 + random.below(6); left > 0 && bytes.length > 8; left--) bytes = random.pick(MUTATIONS)(random, bytes, pictures);
  return bytes;
}

/** A position, half of the time in the first kibibyte, where the structure is. */
const at = (random: Random, bytes: Buffer) => random.below(random.chance(0.5) ? Math.min(1024, bytes.length - 4) : bytes.length - 4);
const range = (random: Random, bytes: Buffer) => {
  const start = at(random, bytes);
  return [start, start + 1 + random.below(Math.min(2048, bytes.length - start))] as const;
};

const MUTATIONS: readonly ((random: Random, bytes: Buffer, pictures: readonly Buffer[]) => Buffer)[] = [
  (random, bytes) => {
    const place = at(random, bytes);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
    return bytes;
  },
  (random, bytes) => {
    bytes[at(random, bytes)] = random.pick(EXTREMES) & 0xff;
    return bytes;
  },
  (random, bytes) => {
    const [value, place] = [random.pick(EXTREMES), at(random, bytes)];
    if (random.chance(0.5)) bytes.writeUInt32BE(value, place);
    else bytes.writeUInt32LE(value, place);
    return bytes;
  },
  (random, bytes) => {
    const [value, place] = [random.pick(EXTREMES) & 0xffff, at(random, bytes)];
    if (random.chance(0.5)) bytes.writeUInt16BE(value, place);
    else bytes.writeUInt16LE(value, place);
    return bytes;
  },
  (random, bytes) => bytes.fill(random.chance(0.5) ? 0 : 0xff, ...range(random, bytes)),
  (random, bytes) => {
    const [start, end] = range(random, bytes);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  (random, bytes) => {
    const [start, end] = range(random, bytes);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
  },
  (random, bytes) => {
    const place = at(random, bytes);
    return Buffer.concat([bytes.subarray(0, place), random.bytes(1 + random.below(64)), bytes.subarray(place)]);
  },
  (random, bytes, pictures) => {
    const [start, end] = range(random, bytes);
    const other = random.pick(pictures);
    const from = random.below(other.length);
    return Buffer.concat([bytes.subarray(0, start), other.subarray(from, from + end - start), bytes.subarray(end)]);
  },
  (random, bytes) => bytes.subarray(0, 1 + random.below(bytes.length)),
];
