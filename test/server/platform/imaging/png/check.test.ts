import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { hasSoundRows, readPng } from '#server/platform/imaging/png/check.ts';
import { makeThumbnail } from '#server/platform/imaging/thumbnail.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { image } from '#test/helpers/pictures/images.ts';
import { pngChunk, withChunk } from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const SIZE = { width: 61, height: 40 };
/** The data is less than 4 KB. */
const SMALL = { width: 31, height: 20 };
const opened = (bytes: Buffer) => ImageBytes.open({ path: 'memory', bytes });

async function isSound(bytes: Buffer): Promise<boolean | undefined> {
  const file = await opened(bytes);
  const png = await readPng(file);
  return png && (await hasSoundRows(file, png));
}

it.each([
  ['in colour', () => image(SIZE).png()],
  ['with alpha', () => image({ ...SIZE, alpha: true }).png()],
  ['with a palette', () => image(SIZE).png({ palette: true, colours: 13 })],
  ['in grey', () => image(SIZE).greyscale().toColourspace('b-w').png()],
  ['of 16 bits', () => image(SIZE).toColourspace('rgb16').png()],
  ['of a few rows', () => image(SMALL).png()],
  ['of one colour', () => sharp({ create: { width: 9000, height: 5000, channels: 3, background: 'teal' } }).png({ compressionLevel: 9 })],
])('reports the same about a PNG %s as libvips, and finds its rows', async (_name, make) => {
  const bytes = await make().toBuffer();
  const { format, width, height, channels, depth, isProgressive, hasAlpha } = await sharp(bytes).metadata();
  expect((await readPng(await opened(bytes)))?.header).toEqual({ format, width, height, channels, depth, isProgressive, hasAlpha });
  expect(await isSound(bytes)).toBe(true);
});

it.each<[string, (rows: Buffer) => Buffer]>([
  ['ends within a row', (rows) => rows.subarray(0, -1)],
  ['has no last row', (rows) => rows.subarray(0, -(1 + 3 * SMALL.width))],
  ['has a row too many', (rows) => Buffer.concat([rows, Buffer.alloc(1 + 3 * SMALL.width)])],
  ['has a filter that does not exist', (rows) => Buffer.concat([Buffer.of(5), rows.subarray(1)])],
])('leaves a PNG whose data %s to a decoder', async (_name, change) => {
  expect(await isSound(withRows(await image(SMALL).png().toBuffer(), change))).toBe(false);
});

it.each<[string, (rows: Buffer) => Buffer]>([
  ['has rows too many', (rows) => Buffer.concat([rows.subarray(0, 1 + 3 * SIZE.width), Buffer.alloc(1024 * 1024)])],
  ['soon has a filter that does not exist', (rows) => Buffer.concat([rows.subarray(0, 1 + 3 * SIZE.width), Buffer.of(5), rows])],
])('leaves a larger PNG whose data %s to a decoder', async (_name, change) => {
  expect(await isSound(withRows(await image(SIZE).png().toBuffer(), change))).toBe(false);
});

it('trusts the checksums of the rest, and thumbnails show the rows that are there', async () => {
  const bytes = withRows(await image(SIZE).png().toBuffer(), (rows) => rows.subarray(0, 0.7 * rows.length));
  expect(await isSound(bytes)).toBe(true);
  const path = join(temporaryFolder(), 'half.png');
  writeFileSync(path, bytes);
  await makeThumbnail(path, { width: 120 }, `${path}.jpg`, unbounded);
  const { channels } = await sharp(`${path}.jpg`).stats();
  expect(channels[0]?.stdev).toBeGreaterThan(0);
});

it('leaves a PNG whose data is not compressed to a decoder', async () => {
  const bytes = await image(SIZE).png().toBuffer();
  const at = bytes.indexOf('IDAT');
  bytes.fill(0xff, at + 4, at + 40);
  expect(await isSound(bytes)).toBe(false);
});

it.each([
  ['an unknown depth', (file: Buffer) => void file.writeUInt8(5, 24)],
  ['a palette missing', (file: Buffer) => void file.writeUInt8(3, 25)],
  ['several passes', (file: Buffer) => void file.writeUInt8(1, 28)],
  ['an unknown kind of chunk', (file: Buffer) => void file.write('pHys', file.indexOf('pHYs'))],
])('leaves a PNG with %s to a decoder', async (_name, change) => {
  const bytes = await image(SIZE).png().withMetadata({ density: 72 }).toBuffer();
  change(bytes);
  expect(await isSound(bytes)).toBeUndefined();
});

it('leaves a PNG with an empty palette to a decoder', async () => {
  const bytes = await image(SIZE).png().toBuffer();
  expect(await isSound(withChunk(bytes, 'PLTE'))).toBeUndefined();
});

/** Replaces the rows of a PNG with a single chunk of data. */
function withRows(png: Buffer, change: (rows: Buffer) => Buffer): Buffer {
  const at = png.indexOf('IDAT') - 4;
  const end = at + 12 + png.readUInt32BE(at);
  const data = deflateSync(change(inflateSync(png.subarray(at + 8, end - 4))));
  expect(crc32(png.subarray(at + 4, end - 4))).toBe(png.readUInt32BE(end - 4));
  return Buffer.concat([png.subarray(0, at), pngChunk('IDAT', data), png.subarray(end)]);
}
