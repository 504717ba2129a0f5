import { describe, expect, it } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { averages, blockGrid, blockSide, regionIn, smoothed } from '#renderer/editor/picture/obscure.ts';
import { fieldsOfCopy, outputFormats, renamed } from '#renderer/editor/picture/output.ts';
import { isAnimated } from '#renderer/editor/picture/source.ts';
import { animatedGif, animatedWebp, avif, gif, photoJpeg, png, webp } from '#test/helpers/pictures/images.ts';

describe('the format', () => {
  const exts = (...args: Parameters<typeof outputFormats>) => outputFormats(...args).map(({ ext }) => ext);

  it('stays the same where a canvas can write it', () => {
    expect(exts('png', false, undefined)[0]).toBe('png');
    expect(exts('jpg', false, undefined)[0]).toBe('jpg');
    expect(exts('webp', true, undefined)).toEqual(['webp', 'png']);
    expect(exts('gif', true, undefined)[0]).toBe('png');
    expect(exts('avif', false, undefined)).toEqual(['webp', 'jpg', 'png']);
  });

  it('is one that the group allows and that keeps transparency', () => {
    expect(exts('avif', false, ['jpg', 'avif'])).toEqual(['jpg']);
    expect(exts('webp', true, ['jpg', 'png'])).toEqual(['png']);
    expect(exts('avif', true, ['jpg', 'avif'])).toEqual(['webp', 'png']);
  });

  it('gives the file its extension', () => {
    expect(renamed('photo.of.me.avif', 'webp')).toBe('photo.of.me.webp');
    expect(renamed('Version 2.0 final', 'png', ' (edited)')).toBe('Version 2.0 final (edited).png');
    expect(renamed('photo', 'jpg')).toBe('photo.jpg');
  });
});

describe('animated pictures', () => {
  it('are told from still ones', async () => {
    for (const still of [gif(), webp(), png({ alpha: true }), photoJpeg(), avif({ width: 32, height: 32 })])
      expect(isAnimated(await still)).toBe(false);
    for (const moving of [animatedGif(), animatedWebp()]) expect(isAnimated(await moving)).toBe(true);
  });

  it('may be PNG and AVIF', async () => {
    const chunk = (type: string, length: number) => {
      const bytes = Buffer.alloc(12 + length);
      bytes.writeUInt32BE(length);
      bytes.write(type, 4, 'latin1');
      return bytes;
    };
    const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    expect(isAnimated(Buffer.concat([head, chunk('IHDR', 13), chunk('acTL', 8), chunk('IDAT', 4)]))).toBe(true);
    expect(isAnimated(Buffer.concat([head, chunk('IHDR', 13), chunk('IDAT', 4), chunk('acTL', 8)]))).toBe(false);
    expect(isAnimated(Buffer.from('\0\0\0\x20ftypavis', 'latin1'))).toBe(true);
  });

  it('may be damaged without holding anything up', async () => {
    const moving = await animatedGif();
    for (let length = 0; length < 40; length += 1) expect(isAnimated(moving.subarray(0, length))).toBe(false);
    expect(isAnimated(new Uint8Array())).toBe(false);
  });
});

describe('a copy', () => {
  const image = {
    visibility: 'public',
    has_password: false,
    title: 'Harbour',
    caption: '',
    alt: '',
    album_id: 'Qm3xT7aBcD',
    tags: ['sea', 'ships'],
    taken_at: '2024-05-06T07:08:09.000Z',
    max_views: 5,
    expires_at: new Date(100_000).toISOString(),
  } as unknown as Image;

  it('takes over the settings of the picture', () => {
    expect(fieldsOfCopy(image, 40_000)).toEqual({
      visibility: 'public',
      title: 'Harbour',
      album_id: 'Qm3xT7aBcD',
      tags: 'sea,ships',
      taken_at: '2024-05-06T07:08:09.000Z',
      max_views: '5',
      expires_at: new Date(100_000).toISOString(),
    });
  });

  it('is never open to more people: a password makes it private', () => {
    expect(fieldsOfCopy({ ...image, has_password: true }).visibility).toBe('private');
    expect(fieldsOfCopy({ ...image, visibility: 'private' }).visibility).toBe('private');
  });
});

const MIDDLE = () => 0.5;

/** Pixels of one colour each, by their place. */
function pixels(width: number, height: number, colour: (x: number, y: number) => readonly number[]) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(colour(x, y), (y * width + x) * 4);
  return { width, height, data };
}

describe('blocks', () => {
  it('are at least 16 pixels, a sixteenth of the longer side, and a third of the shorter one', () => {
    expect(blockSide({ width: 40, height: 30 })).toBe(16);
    expect(blockSide({ width: 1600, height: 20 })).toBe(100);
    expect(blockSide({ width: 300, height: 300 })).toBe(100);
  });

  it('are never narrower at the end of a region', () => {
    for (let width = 1; width < 700; width += 13)
      for (let height = 1; height < 300; height += 7) {
        const grid = blockGrid({ width, height });
        const side = blockSide({ width, height });
        expect(width / grid.width).toBeGreaterThanOrEqual(Math.min(side, width));
        expect(height / grid.height).toBeGreaterThanOrEqual(Math.min(side, height));
        expect(Math.max(grid.width, grid.height)).toBeLessThanOrEqual(16);
        expect(Math.min(grid.width, grid.height)).toBeLessThanOrEqual(3);
      }
  });

  it('are averages of all their pixels', () => {
    const source = pixels(4, 2, (x) => (x % 2 ? [200, 100, 0, 255] : [0, 0, 0, 255]));
    expect([...averages(source, { width: 2, height: 1 }, MIDDLE).data]).toEqual([100, 50, 0, 255, 100, 50, 0, 255]);
  });

  it('show nothing of what is in them but the average', () => {
    const left = pixels(32, 16, (x, y) => (x < 4 && y < 4 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const right = pixels(32, 16, (x, y) => (x > 11 && x < 16 && y > 11 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const grid = blockGrid(left);
    expect(grid).toEqual({ width: 2, height: 1 });
    expect(averages(left, grid, MIDDLE).data).toEqual(averages(right, grid, MIDDLE).data);
  });

  it('have noise, the same for all channels and within bounds', () => {
    const source = pixels(16, 16, () => [100, 110, 120, 255]);
    const at = (noise: number) => [...averages(source, { width: 1, height: 1 }, () => noise).data];
    expect([at(0), at(1)]).toEqual([
      [88, 98, 108, 255],
      [112, 122, 132, 255],
    ]);
  });

  it('take colours only from what is not transparent', () => {
    const source = pixels(2, 1, (x) => (x ? [200, 100, 50, 128] : [0, 255, 0, 0]));
    expect([...averages(source, { width: 1, height: 1 }, MIDDLE).data]).toEqual([200, 100, 50, 64]);
  });
});

describe('a region in a smaller copy', () => {
  it('has pixels, all of them inside the copy', () => {
    const [copy, size] = [
      { width: 2560, height: 1707 },
      { width: 8001, height: 5333 },
    ];
    for (let at = 0; at < 8000; at += 37) {
      const { x, y, width, height } = regionIn(copy, size, { x: at, y: Math.min(at, 5332), width: 8001 - at, height: 1 });
      expect(x + width).toBe(copy.width);
      expect(y + height).toBeLessThanOrEqual(copy.height);
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
    }
    expect(regionIn(size, size, { x: 10, y: 20, width: 30, height: 40 })).toEqual({ x: 10, y: 20, width: 30, height: 40 });
  });
});

describe('smoothing', () => {
  it('keeps a plain colour and its transparency', () => {
    const { width, height, data } = smoothed(
      pixels(3, 2, () => [40, 80, 120, 200]),
      4,
    );
    expect([width, height]).toEqual([12, 8]);
    for (let at = 0; at < data.length; at += 4) {
      expect(Math.abs((data[at] ?? 0) - 40) + Math.abs((data[at + 1] ?? 0) - 80) + Math.abs((data[at + 2] ?? 0) - 120)).toBeLessThanOrEqual(
        2,
      );
      expect(data[at + 3]).toBe(200);
    }
  });

  it('goes evenly from one block to the next, in the right direction', () => {
    const { width, data } = smoothed(
      pixels(2, 2, (x, y) => [x * 255, y * 255, 0, 255]),
      8,
    );
    const row = Array.from({ length: width }, (_, x) => data[x * 4] ?? 0);
    expect(row).toEqual(row.toSorted((one, other) => one - other));
    expect((row.at(-1) ?? 0) - (row[0] ?? 0)).toBeGreaterThan(150);
    const below = data[(15 * width + 0) * 4 + 1] ?? 0;
    expect(below).toBeGreaterThan((data[1] ?? 0) + 150);
  });
});
