import sharp from 'sharp';
import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { expect, it } from 'vitest';
import { decodeThumbHash } from '#renderer/images/grid/thumb-hash.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';

it.each([
  [90, 60],
  [60, 90],
  [80, 80],
  [96, 9],
  [7, 96],
])('decodes the placeholder of a picture of %i × %i pixels like the format’s own library', async (width, height) => {
  const input = sharp(await photoJpeg({ width, height, seed: width }));
  const hash = rgbaToThumbHash(width, height, await input.ensureAlpha().raw().toBuffer());
  const { w, h, rgba } = thumbHashToRGBA(hash);
  const decoded = decodeThumbHash(hash, 32);
  expect([decoded.width, decoded.height, decoded.data.length]).toEqual([w, h, rgba.length]);
  // The library rounds down.
  expect(Math.max(...decoded.data.map((value, index) => Math.abs(value - (rgba[index] ?? 0))))).toBeLessThanOrEqual(1);
});

it('makes placeholders of any size', async () => {
  const picture = sharp({ create: { width: 60, height: 40, channels: 4, background: '#3366cc' } });
  const { width, height, data } = decodeThumbHash(rgbaToThumbHash(60, 40, await picture.raw().toBuffer()), 16);
  expect([width, height]).toEqual([16, 11]);
  for (const [channel, value] of [0x33, 0x66, 0xcc, 255].entries()) expect(Math.abs((data[channel] ?? 0) - value)).toBeLessThan(8);
});
