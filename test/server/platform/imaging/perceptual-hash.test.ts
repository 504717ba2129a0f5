import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { hashesOf } from '#server/platform/imaging/thumbnail.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { differentBits } from '#test/helpers/pictures/different-bits.ts';
import { scene } from '#test/helpers/pictures/scene.ts';
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
