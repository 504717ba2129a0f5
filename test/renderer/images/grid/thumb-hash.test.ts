import sharp from 'sharp';
import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { expect, it } from 'vitest';
import { decodeThumbHash } from '#renderer/images/grid/thumb-hash.ts';
import { loadInTurn } from '#renderer/images/grid/thumbnail.tsx';
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

/** What the queue uses of an image. */
class FakeImage extends EventTarget {
  src: string | undefined;
  removeAttribute() {
    this.src = undefined;
  }
}

it('loads two images at a time, in order, and passes over those that are gone', () => {
  const images = Array.from({ length: 6 }, () => new FakeImage());
  const leave = images.map((image, index) => loadInTurn(image as unknown as HTMLImageElement, `${index}.jpg`));
  const loading = () => images.flatMap(({ src }) => src ?? []);
  expect(loading()).toEqual(['0.jpg', '1.jpg']);
  leave[2]?.();
  images[1]?.dispatchEvent(new Event('load'));
  expect(loading()).toEqual(['0.jpg', '1.jpg', '3.jpg']);
  images[0]?.dispatchEvent(new Event('error'));
  leave[3]?.();
  expect(loading()).toEqual(['0.jpg', '1.jpg', '4.jpg', '5.jpg']);
  // Reloaded later, as after an outage: its place is taken by no one twice.
  images[1]?.dispatchEvent(new Event('load'));
  expect(loading()).toEqual(['0.jpg', '1.jpg', '4.jpg', '5.jpg']);
  for (const end of leave) end();
  expect(loading()).toEqual([]);
});
