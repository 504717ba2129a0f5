import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { smallCopy } from '#server/platform/imaging/decoder/sharp/hashes.ts';
import { hashesOf } from '#server/platform/imaging/thumbnail.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { differentBits, scene } from '#test/helpers/pictures/pixels.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function hashOf(file: Buffer): Promise<string> {
  const path = join(temporaryFolder(), 'thumbnail');
  await writeFile(path, file);
  return (await hashesOf(path, unbounded)).phash;
}

const original = await scene(1);

it.each([
  ['size', sharp(original).resize(120)],
  ['quality', sharp(original).jpeg({ quality: 30 })],
  ['format', sharp(original).webp({ quality: 60 })],
  ['brightness', sharp(original).modulate({ brightness: 1.1 })],
  ['contrast', sharp(original).linear(1.1, -10)],
])('differs in six bits at most where the %s does', async (_, changed) => {
  expect(differentBits(await hashOf(original), await hashOf(await changed.toBuffer()))).toBeLessThanOrEqual(6);
});

it('differs in more bits between pictures, their mirror images and their parts', async () => {
  const hash = await hashOf(original);
  const others = [
    await scene(2),
    await sharp(original).flop().toBuffer(),
    await sharp(original).extract({ left: 300, top: 0, width: 300, height: 400 }).toBuffer(),
  ];
  for (const other of others) expect(differentBits(hash, await hashOf(other))).toBeGreaterThan(12);
});

it.each([
  ['plain', () => 200],
  ['nearly plain', (at: number) => 200 + ((at * 7_919) % 2)],
  ['graded', (at: number) => (at % 180) + 40],
])('has nothing to compare in a %s picture', async (_, shade) => {
  const pixels = Buffer.from(Array.from({ length: 3 * 60 * 40 }, (_value, at) => shade(at)));
  expect(
    await hashOf(
      await sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } })
        .png()
        .toBuffer(),
    ),
  ).toBe('');
});

/** A picture of grey pixels in lines. */
function picture(lines: number[][], channels = 3) {
  const data = Uint8Array.from(lines.flat().flatMap((shade) => [shade, shade, shade, 0].slice(0, channels)));
  return { width: lines[0]?.length ?? 0, height: lines.length, channels, data };
}

/** The shades of a copy, in lines. */
function shades({ width, height, data }: { width: number; height: number; data: Uint8Array }): number[][] {
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_value, x) => data[4 * (y * width + x)] ?? 0));
}

it('has the averages of whole pixels', () => {
  const lines = [
    [10, 20, 30, 50],
    [10, 20, 50, 70],
  ];
  expect(shades(smallCopy(picture(lines), 2))).toEqual([[15, 50]]);
});

it('divides pixels that it covers in part', () => {
  const lines = [
    [0, 90, 180],
    [90, 180, 90],
    [180, 90, 0],
  ];
  expect(shades(smallCopy(picture(lines), 2))).toEqual([
    [60, 140],
    [140, 60],
  ]);
});

it('enlarges, and has a line at least', () => {
  expect(shades(smallCopy(picture([[0, 100]]), 4))).toEqual([
    [0, 0, 100, 100],
    [0, 0, 100, 100],
  ]);
  expect(shades(smallCopy(picture([[0, 50, 100, 150]]), 2))).toEqual([[25, 125]]);
});

it('keeps colours apart, and is opaque', () => {
  const data = Uint8Array.from([255, 0, 0, 7, 0, 0, 255, 7]);
  expect([...smallCopy({ width: 2, height: 1, channels: 4, data }, 1).data]).toEqual([128, 0, 128, 255]);
});
