import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { DEFAULT_QUALITY } from '#api/constants.ts';
import { DamagedImageError } from '#server/platform/imaging/errors.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import type { ConvertOptions } from '#server/platform/imaging/types.ts';
import { animatedGif, image, PRIVATE_WORDS, photoJpeg, png, tiff } from '#test/helpers/pictures/images.ts';
import { convertFile } from '#test/helpers/pictures/inspected.ts';
import { averageDifference, patches } from '#test/helpers/pictures/pixels.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function converted(file: Buffer, options: Omit<ConvertOptions, 'quality'> & { quality?: number }): Promise<Buffer> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'in'), file);
  const { width, height, size } = await convertFile(
    join(folder, 'in'),
    sniff(file) as Parameters<typeof convertFile>[1],
    { quality: DEFAULT_QUALITY, ...options },
    join(folder, 'out'),
  );
  const result = await readFile(join(folder, 'out'));
  expect(size).toBe(result.length);
  const written = await sharp(result).metadata();
  expect([width, height]).toEqual([written.width, written.pageHeight ?? written.height]);
  return result;
}

describe('converting', () => {
  it.each([
    ['png', 'png'],
    ['jpg', 'jpeg'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['avif', 'heif'],
  ] as const)('to %s keeps the visible image', async (to, format) => {
    const original = await photoJpeg({ orientation: 6, gps: true, quality: 95, smooth: true });
    const result = await converted(original, { to });
    expect(await sharp(result).metadata()).toMatchObject({ format, width: 200, height: 320 });
    // A GIF has 256 colours, and dithers the others.
    expect(await averageDifference(result, original)).toBeLessThan(to === 'gif' ? 9 : 3);
    for (const word of PRIVATE_WORDS) expect(result.includes(word)).toBe(false);
  });

  it('from TIFF to PNG is lossless, transparency included', async () => {
    const result = await converted(await tiff({ alpha: true }), { to: 'png' });
    expect(await sharp(result).raw().toBuffer()).toEqual(await image({ alpha: true }).raw().toBuffer());
  });

  it('turns CMYK, 16-bit and P3 into sRGB', async () => {
    for (const icc of ['p3', 'cmyk'] as const) {
      const photo = await photoJpeg({ icc, quality: 100 });
      const result = await converted(photo, { to: 'png' });
      expect((await sharp(result).metadata()).space).toBe('srgb');
      expect(await averageDifference(result, photo)).toBeLessThan(1);
    }
    const deep = await image().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer();
    expect(await averageDifference(await converted(deep, { to: 'png' }), await png())).toBeLessThan(1);
  });

  it('limits the longer side, and never enlarges', async () => {
    expect(await sharp(await converted(await png(), { to: 'png', maxSide: 100 })).metadata()).toMatchObject({ width: 100, height: 63 });
    expect(await sharp(await converted(await png(), { to: 'png', maxSide: 1000 })).metadata()).toMatchObject({ width: 320, height: 200 });
  });

  it('to JPEG puts transparency on white', async () => {
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    expect(await patches(await converted(clear, { to: 'jpg' }))).toEqual(new Array(4).fill([255, 255, 255]));
  });

  it('divides colours by their alpha channel where an AVIF has them multiplied', async () => {
    const result = await converted(await readFile('test/fixtures/avif/premultiplied.avif'), { to: 'png' });
    const { data, info } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number) => [...data.subarray(4 * (8 * info.width + x), 4 * (8 * info.width + x) + 4)];
    // Transparent, translucent and opaque, all in the same colour.
    expect(at(8)[3]).toBe(0);
    for (const [index, value] of [200, 100, 50, 128].entries()) expect(Math.abs((at(24)[index] ?? 0) - value)).toBeLessThanOrEqual(3);
    for (const [index, value] of [200, 100, 50, 255].entries()) expect(Math.abs((at(40)[index] ?? 0) - value)).toBeLessThanOrEqual(3);
  });

  it('keeps an animation if the format supports it, else its first frame', async () => {
    const animation = await animatedGif({ frames: 3, loop: 2 });
    const animated = await sharp(await converted(animation, { to: 'webp', maxSide: 32 }), { pages: -1 }).metadata();
    expect(animated).toMatchObject({ pages: 3, width: 32, pageHeight: 24, loop: 2, delay: [100, 100, 100] });
    expect(await sharp(await converted(animation, { to: 'png' })).metadata()).toMatchObject({ format: 'png', width: 64, height: 48 });
  });

  it('at lower quality makes a smaller file', async () => {
    const photo = await photoJpeg();
    expect((await converted(photo, { to: 'webp', quality: 20 })).length).toBeLessThan(
      (await converted(photo, { to: 'webp', quality: 95 })).length,
    );
  });

  it('keeps metadata when asked, and still turns the picture upright', async () => {
    const result = await converted(await photoJpeg({ gps: true, orientation: 6 }), { to: 'webp', keepMetadata: true });
    expect(result.includes(PRIVATE_WORDS[1])).toBe(true);
    expect((await sharp(result).metadata()).autoOrient).toEqual({ width: 200, height: 320 });
  });

  it('reports a damaged picture as such', async () => {
    await expect(converted((await tiff()).subarray(0, 1000), { to: 'png' })).rejects.toThrow(DamagedImageError);
  });

  it.each(['png', 'jpg', 'webp'] as const)('reports damaged pixels when converting to %s', async (to) => {
    const damaged = await tiff({ width: 600, height: 600 });
    for (let at = 500; at < damaged.length - 1000; at += 997) damaged[at] = (damaged[at] as number) ^ 0xff;
    await expect(converted(damaged, { to })).rejects.toThrow(DamagedImageError);
  });

  it.runIf(process.platform === 'linux')('reports a full disk as such', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'in'), await png({ width: 900, height: 900 }));
    for (const to of ['png', 'jpg', 'webp'] as const)
      await expect(convertFile(join(folder, 'in'), 'png', { to, quality: DEFAULT_QUALITY }, '/dev/full')).rejects.toMatchObject({
        code: 'ENOSPC',
      });
  });

  it("doesn't blame the picture for a missing target folder", async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'in'), await png());
    await expect(
      convertFile(join(folder, 'in'), 'png', { to: 'png', quality: DEFAULT_QUALITY }, join(folder, 'no', 'out')),
    ).rejects.not.toThrow(DamagedImageError);
  });
});
