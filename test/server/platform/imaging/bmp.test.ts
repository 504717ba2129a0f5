import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { DamagedImageError, ImageTooLargeError, UnsupportedImageError } from '#server/platform/imaging/errors.ts';
import { BITMAP_COLOURS, BITMAP_HEIGHT, BITMAP_WIDTH, type BitmapOptions, bitmap, bitmapIndex } from '#test/helpers/pictures/bitmaps.ts';
import { convertFile, inspected } from '#test/helpers/pictures/inspected.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function toPng(file: Buffer): Promise<Buffer> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'in'), file);
  await convertFile(join(folder, 'in'), 'bmp', { to: 'png', quality: 85 }, join(folder, 'out'));
  return readFile(join(folder, 'out'));
}

const KINDS: [string, BitmapOptions][] = [
  ['a palette of 16 colours', { bits: 4 }],
  ['a palette of 256 colours', { bits: 8 }],
  ['a palette of OS/2', { bits: 8, core: true }],
  ['run-length coding of 256 colours', { bits: 8, runs: true }],
  ['run-length coding of 16 colours', { bits: 4, runs: true }],
  ['15 bits', { bits: 16 }],
  ['16 bits', { bits: 16, masks: [0xf800, 0x07e0, 0x001f, 0] }],
  ['24 bits', { bits: 24 }],
  ['24 bits, top row first', { bits: 24, topDown: true }],
  ['24 bits of OS/2', { bits: 24, core: true }],
  ['32 bits', { bits: 32 }],
  ['32 bits in another order', { bits: 32, masks: [0xff, 0xff00, 0xff0000, 0] }],
  ['32 bits with an alpha channel of zeros', { bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000], alpha: 0 }],
];

describe('a BMP', () => {
  it.each(KINDS)('with %s decodes to the right pixels', async (_, options) => {
    const { data, info } = await sharp(await toPng(bitmap(options)))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([BITMAP_WIDTH, BITMAP_HEIGHT]);
    for (let y = 0, at = 0; y < BITMAP_HEIGHT; y++) {
      for (let x = 0; x < BITMAP_WIDTH; x++, at += 3)
        expect([...data.subarray(at, at + 3)], `${x}, ${y}`).toEqual(BITMAP_COLOURS[bitmapIndex(x, y)]);
    }
  });

  it('with two colours keeps them', async () => {
    const { data } = await sharp(await toPng(bitmap({ bits: 1 })))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual(BITMAP_COLOURS[0]);
    expect([...data.subarray(15, 18)]).toEqual(BITMAP_COLOURS[1]);
  });

  it('keeps its transparency', async () => {
    const png = sharp(await toPng(bitmap({ bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000], alpha: 64 })));
    expect((await png.raw().toBuffer())[3]).toBe(64);
  });
});

describe('a bad BMP', () => {
  it('is reported as damaged wherever it is cut off', async () => {
    const file = bitmap({ bits: 24 });
    for (const length of [0, 10, 20, 40, 54, 60, file.length - 6]) {
      await expect(toPng(file.subarray(0, length)), `${length}`).rejects.toThrow(DamagedImageError);
    }
    const runs = bitmap({ bits: 8, runs: true });
    await expect(toPng(runs.subarray(0, -12))).rejects.toThrow(DamagedImageError);
  });

  it('that declares too many pixels is rejected from its header', async () => {
    const file = bitmap({ bits: 24 });
    file.writeInt32LE(20_000, 18);
    file.writeInt32LE(20_000, 22);
    await expect(toPng(file)).rejects.toThrow(ImageTooLargeError);
  });

  it('that only wraps a JPEG or PNG is rejected as such', async () => {
    const file = bitmap({ bits: 24 });
    file.writeUInt32LE(5, 30);
    await expect(toPng(file)).rejects.toThrow(UnsupportedImageError);
  });
});

it('describes a BMP from its headers alone', async () => {
  const path = join(temporaryFolder(), 'in');
  await writeFile(path, bitmap({ bits: 24, topDown: true }).subarray(0, 60));
  expect((await inspected(path, 'bmp')).bmp).toEqual({ width: 6, height: 4, colours: {} });
});
