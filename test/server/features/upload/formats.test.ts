import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import exifr from 'exifr';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { animatedAvif } from '#test/helpers/pictures/avif-sequence.ts';
import { heicGrid, tilesOf } from '#test/helpers/pictures/heic-grid.ts';
import { animatedGif, animatedWebp, avif, image, photoJpeg, png, tiff, webp } from '#test/helpers/pictures/images.ts';
import { privateJpeg, privatePng, SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

const HEIC = join(import.meta.dirname, '../../../fixtures/heic');
const heic = (name: string) => readFile(join(HEIC, name));

let _token: string;

const { service, owner } = await startFileService();
const token = await owner.token('upload');

const send = (bytes: Uint8Array, fields = {}, name = 'x.bin') => uploadImage(service, token, bytes, fields, name);
const original = (image: Uploaded) => contentOf(fetch(image.links.url));
const rgb = (bytes: Buffer) => sharp(bytes).autoOrient().toColourspace('srgb').removeAlpha().raw().toBuffer();

/** The largest difference between any two channel values. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [left, right] = await Promise.all([rgb(a), rgb(b)]);
  expect(left.length).toBe(right.length);
  return left.reduce((most, value, index) => Math.max(most, Math.abs(value - (right[index] ?? 0))), 0);
}

/** The mean difference between two lossy versions of a picture, from 0 to 255. */
async function meanDifference(a: Buffer, b: Buffer): Promise<number> {
  const [left, right] = await Promise.all([rgb(a), rgb(b)]);
  expect(left.length).toBe(right.length);
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length;
}

it.each([
  ['JPEG', 'jpg', photoJpeg],
  ['PNG', 'png', png],
  ['WebP', 'webp', webp],
  ['AVIF', 'avif', avif],
  ['animated GIF', 'gif', animatedGif],
  ['animated WebP', 'webp', animatedWebp],
] as const)('stores %s with its pixels untouched, whatever its extension', async (_name, ext, make) => {
  const bytes = await make({ seed: 3 });
  const image = await send(bytes, {}, 'wrong.txt');
  expect(image.ext).toBe(ext);
  const served = await original(image);
  const frames = { pages: -1 };
  expect((await sharp(served, frames).raw().toBuffer()).equals(await sharp(bytes, frames).raw().toBuffer())).toBe(true);
});

it('stores an animated AVIF with all frames, and shows its still picture', async () => {
  const [bytes, still] = [await animatedAvif({ seed: 9 }), await avif({ width: 64, height: 48, seed: 9 })];
  const image = await send(bytes);
  expect(image).toMatchObject({ ext: 'avif', width: 64, height: 48 });
  expect((await original(image)).equals(bytes)).toBe(true);
  expect(await meanDifference(await contentOf(fetch(`${image.links.thumbnail_url}?w=400`)), still)).toBeLessThan(4);
});

it('gives the reason why it refuses an animated AVIF without a still picture', async () => {
  const reason = { status: 415, code: 'ext_not_allowed', message: expect.stringMatching(/^This animated AVIF has no still picture/) };
  await expect(send(await animatedAvif({}, false))).rejects.toMatchObject(reason);
});

it('removes the place, the owner and the serial number from a photo', async () => {
  const bytes = await privateJpeg({ orientation: 6 });
  expect(bytes.includes(SECRET)).toBe(true);
  const image = await send(bytes);
  const served = await original(image);
  expect(served.includes(SECRET)).toBe(false);
  const metadata = await exifr.parse(served, true);
  expect(metadata).not.toHaveProperty('latitude');
  expect(metadata).not.toHaveProperty('BodySerialNumber');
  expect((await sharp(served).metadata()).orientation).toBe(6);
  expect((await sharp(served).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
  expect((await original(await send(await privatePng()))).includes(SECRET)).toBe(false);
});

it('stores when a photo was taken, preferring EXIF over the field', async () => {
  const bytes = await photoJpeg({ takenAt: '2021:02:03 04:05:06', offset: '+02:00', seed: 21 });
  expect((await send(bytes, { taken_at: '2000-01-01T00:00:00Z' })).taken_at).toBe('2021-02-03T02:05:06.000Z');
  expect((await send(await png({ seed: 22 }), { taken_at: '2000-01-01T00:00:00+01:00' })).taken_at).toBe('1999-12-31T23:00:00.000Z');
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])('shows EXIF orientation %i upright, original and thumbnail', async (orientation) => {
  const bytes = await photoJpeg({ orientation, seed: 30 + orientation });
  const image = await send(bytes);
  const turned = orientation > 4;
  expect([image.width, image.height]).toEqual(turned ? [200, 320] : [320, 200]);
  expect(await difference(await original(image), bytes)).toBe(0);
  const thumbnail = await contentOf(fetch(`${image.links.thumbnail_url}?w=400`));
  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: image.width, height: image.height, format: 'jpeg' });
  expect(await difference(thumbnail, await sharp(bytes).autoOrient().jpeg({ quality: 80 }).toBuffer())).toBeLessThan(12);
});

it.each(['arrow.heic', 'arrow-rot1.heic', 'arrow-rot2.heic', 'arrow-rot3.heic', 'arrow-mir0.heic', 'multi.heic', 'p3.heic'])(
  'converts %s to JPEG',
  async (name) => {
    const image = await send(await heic(name), {}, 'IMG_1.HEIC');
    expect(image).toMatchObject({ ext: 'jpg', mime: 'image/jpeg' });
    expect(image.links.url).toMatch(/\.jpg$/);
    expect(await sharp(await original(image)).metadata()).toMatchObject({ format: 'jpeg', width: image.width, height: image.height });
  },
);

it('gives the size that browsers show of an AVIF with a crop, which they ignore', async () => {
  const image = await send(await readFile(join(HEIC, '../avif/cropped.avif')));
  expect(image).toMatchObject({ ext: 'avif', width: 96, height: 64 });
  expect(await sharp(await contentOf(fetch(`${image.links.thumbnail_url}?w=400`))).metadata()).toMatchObject({ width: 96, height: 64 });
});

it('converts a HEIC with transparency to WebP, and keeps that', async () => {
  const image = await send(await heic('alpha.heic'), {}, 'IMG_1.HEIC');
  expect(image).toMatchObject({ ext: 'webp', mime: 'image/webp', width: 96, height: 64 });
  const { data, info } = await sharp(await original(image))
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Transparent, translucent and opaque, each a third of it.
  const alphaAt = (x: number) => data[info.channels * (32 * info.width + x) + 3];
  expect([info.channels, ...[16, 48, 80].map(alphaAt)]).toEqual([
    4,
    expect.closeTo(0, -1),
    expect.closeTo(128, -1),
    expect.closeTo(255, -1),
  ]);
});

it.each([true, false])('converts a HEIC whose tiles have transparency (%s) to what keeps it', async (isTransparent) => {
  const tiles = await tilesOf(await heic('grid.heic'));
  const grid = heicGrid(tiles, { columns: 2, rows: 2, side: 64, width: 128, height: 100, hasAlpha: isTransparent });
  const image = await send(grid, {}, 'IMG_1.HEIC');
  expect(image.ext).toBe(isTransparent ? 'webp' : 'jpg');
  expect((await sharp(await original(image)).metadata()).hasAlpha).toBe(isTransparent);
});

it('rotates a HEIC picture as its boxes declare', async () => {
  const arrow = await heic('arrow.png');
  const turned = await sharp(arrow).rotate(270).toBuffer();
  const upright = await original(await send(await heic('arrow.heic')));
  const rotated = await original(await send(await heic('arrow-rot1.heic')));
  expect(await meanDifference(upright, arrow)).toBeLessThan(4);
  expect(await meanDifference(rotated, turned)).toBeLessThan(4);
  // Checks the comparison: the same arrow in another direction differs a lot.
  expect(await meanDifference(rotated, arrow)).toBeGreaterThan(12);
});

it('stores BMP and TIFF as PNG with the same pixels', async () => {
  const bytes = await tiff({ seed: 50 });
  const image = await send(bytes);
  expect(image).toMatchObject({ ext: 'png', mime: 'image/png' });
  expect(await difference(await original(image), bytes)).toBe(0);
  expect(await send(bitmap(2, 2))).toMatchObject({ ext: 'png', width: 2, height: 2 });
});

/** A TIFF of one strip whose field has another value, in each of its elements. */
async function tiffWith(tag: number, value: number): Promise<Buffer> {
  const file = await image({ width: 60, height: 40, seed: tag }).tiff({ compression: 'none' }).toBuffer();
  const directory = file.readUInt32LE(4);
  const entries = Array.from({ length: file.readUInt16LE(directory) }, (_, i) => directory + 2 + 12 * i);
  const entry = entries.find((at) => file.readUInt16LE(at) === tag);
  if (entry === undefined) throw new Error(`there is no field ${tag}`);
  const count = file.readUInt32LE(entry + 4);
  const values = count > 2 ? file.readUInt32LE(entry + 8) : entry + 8;
  for (let i = 0; i < count; i++) file.writeUInt16LE(value, values + 2 * i);
  return file;
}

it.each([
  ['Zstandard', 259, 50_000],
  ['LZMA', 259, 34_925],
  ['Lab with 8 bits', 262, 8],
  ['12 bits', 258, 12],
  ['signed numbers', 339, 2],
  ['integers of 32 bits', 258, 32],
])('refuses a TIFF that it can’t read, and doesn’t call it damaged: %s', async (_name, tag, value) => {
  const message = 'This TIFF has a compression, a colour space or a depth that isn’t supported. Save it as PNG and try again.';
  await expect(send(await tiffWith(tag, value))).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed', message });
});

it('recognises a repeated upload of a converted picture', async () => {
  const bytes = await heic('multi.heic');
  const first = await send(bytes, { visibility: 'private' });
  expect(await send(bytes, { visibility: 'private' })).toMatchObject({ key: first.key, reused: true });
});

it('refuses HEIC when this build cannot decode it, and reports it', async () => {
  await using broken = await startTestService({}, { probeHeic: async () => false });
  const owner = await setUp(broken);
  const config = await (await fetch(`${broken.url}/api/v1/config`)).json();
  expect(config.data.heic_supported).toBe(false);
  await expect(uploadImage(broken, await owner.token('upload'), await heic('arrow.heic'))).rejects.toMatchObject({
    status: 415,
    code: 'heic_unsupported',
  });
});

/** The smallest kind of BMP: 24 bits a pixel, all red. */
function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) file[54 + y * row + x * 3 + 2] = 255;
  return file;
}
