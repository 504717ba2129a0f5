import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { decoders } from '#server/platform/imaging/decoders.ts';
import { DamagedImageError } from '#server/platform/imaging/errors.ts';
import { hashesOf, makeThumbnail } from '#server/platform/imaging/thumbnail.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { bundledProfile, withJpegProfile } from '#test/helpers/pictures/icc.ts';
import { animatedGif, avif, image, photoJpeg, png, webp } from '#test/helpers/pictures/images.ts';
import { averageDifference, differentBits, patches, scene } from '#test/helpers/pictures/pixels.ts';
import { apngWithStill } from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function thumbnail(file: Buffer, width: number): Promise<Buffer> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'original'), file);
  await makeThumbnail(join(folder, 'original'), { width }, join(folder, 'thumbnail'), unbounded);
  return readFile(join(folder, 'thumbnail'));
}

describe('a thumbnail', () => {
  it.each([
    ['jpeg', photoJpeg],
    ['png', png],
    ['webp', webp],
    ['avif', avif],
    ['gif', animatedGif],
  ] as const)('of %s is a plain JPEG of the requested size', async (_, make) => {
    const result = await thumbnail(await make({ width: 300, height: 150 }), 120);
    expect(await sharp(result).metadata()).toMatchObject({
      format: 'jpeg',
      width: 120,
      height: 60,
      isProgressive: false,
      space: 'srgb',
      channels: 3,
    });
  });

  it.each([1, 2])('of an APNG of %i frames shows the first one, not the still picture that browsers never show', async (frames) => {
    const made = await thumbnail(await apngWithStill(frames), 400);
    const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 16, height: 16 });
    const at = (x: number, y: number) => [...data.subarray(3 * (16 * y + x), 3 * (16 * y + x) + 3)].map((value) => Math.round(value / 64));
    expect([at(8, 5), at(0, 15)]).toEqual([
      [0, 4, 0],
      [3, 3, 3],
    ]);
  });

  it('measures the longer side of a tall picture', async () => {
    expect(await sharp(await thumbnail(await png({ width: 50, height: 500 }), 200)).metadata()).toMatchObject({ width: 20, height: 200 });
  });

  it('is never larger than the picture', async () => {
    expect(await sharp(await thumbnail(await png({ width: 50, height: 40 }), 400)).metadata()).toMatchObject({ width: 50, height: 40 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('of orientation %i is upright and has no orientation tag', async (orientation) => {
    const result = await thumbnail(await photoJpeg({ orientation, quality: 100, smooth: true }), 160);
    const { width, height, exif, icc } = await sharp(result).metadata();
    expect([width, height, exif, icc]).toEqual(orientation < 5 ? [160, 100, undefined, undefined] : [100, 160, undefined, undefined]);
    const upright = await sharp(await photoJpeg({ orientation, quality: 100, smooth: true }))
      .autoOrient()
      .resize(width, height)
      .png()
      .toBuffer();
    expect(await averageDifference(result, upright)).toBeLessThan(3);
  });

  it('of a progressive JPEG shows blocks where its coded pixels have more faults than libvips accepts', async () => {
    const file = withFaults(await photoJpeg({ width: 1000, height: 700, progressive: true, quality: 95 }));
    await expect(sharp(file, { failOn: 'error' }).stats()).rejects.toThrow('VipsJpeg');
    expect(await sharp(await thumbnail(file, 100)).metadata()).toMatchObject({ format: 'jpeg', width: 100 });
  });

  it('shows transparency on a grey that black and white stand out from', async () => {
    const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer();
    expect(await patches(await thumbnail(clear, 120))).toEqual(new Array(4).fill([168, 173, 176]));
  });

  it('finds the first frame of a GIF behind a comment in blocks of a single byte', async () => {
    const gif = await animatedGif({ width: 60, height: 40, frames: 1 });
    const start = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
    const comment = Buffer.concat([Buffer.of(0x21, 0xfe), Buffer.alloc(500_000, Buffer.of(1, 0x20)), Buffer.of(0)]);
    const made = await thumbnail(Buffer.concat([gif.subarray(0, start), comment, gif.subarray(start)]), 400);
    expect(await sharp(made).metadata()).toMatchObject({ width: 60, height: 40 });
  });

  it.each([1, 2])('shows the same grey where the first of %i frames of a GIF doesn’t cover its canvas', async (frames) => {
    const gif = await animatedGif({ width: 60, height: 40, frames });
    gif.writeUInt16LE(120, 6);
    gif.writeUInt16LE(80, 8);
    const frame = gif.indexOf(Buffer.of(0x2c, 0, 0, 0, 0, 60, 0, 40, 0));
    gif.writeUInt16LE(30, frame + 1);
    gif.writeUInt16LE(20, frame + 3);
    const { data, info } = await sharp(await thumbnail(gif, 400))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([120, 80]);
    const at = (x: number, y: number) => [...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3)];
    for (const [x, y] of [
      [4, 4],
      [115, 40],
      [60, 75],
    ] as const)
      expect(at(x, y).map((value, i) => Math.abs(value - ([168, 173, 175][i] ?? 0)) < 6)).toEqual([true, true, true]);
    expect(at(60, 40)).not.toEqual(at(4, 4));
  });

  it('shows the first frame of an animation', async () => {
    const animation = await animatedGif({ seed: 3, smooth: true });
    const result = await thumbnail(animation, 120);
    const [first, second] = await Promise.all(
      [0, 1].map(async (page) => averageDifference(result, await sharp(animation, { page }).png().toBuffer())),
    );
    expect(first).toBeLessThan(5);
    expect(second).toBeGreaterThan(2 * (first ?? 0));
  });

  it('is the same for a JPEG in sRGB with and without a profile', async () => {
    const photo = await photoJpeg();
    const [without, withProfile] = [photo, withJpegProfile(photo, await bundledProfile('srgb'))];
    expect((await sharp(withProfile).metadata()).icc).toBeDefined();
    expect(
      await sharp(await thumbnail(withProfile, 120))
        .raw()
        .toBuffer(),
    ).toEqual(
      await sharp(await thumbnail(without, 120))
        .raw()
        .toBuffer(),
    );
  });

  it('has the colours of the picture, whatever its profile', async () => {
    const vivid = [60, 200, 60] as const;
    const muted = [110, 150, 120] as const;
    const deep = await plain(vivid).toColourspace('rgb16').png().toBuffer();
    const p3 = await plain(vivid).withIccProfile('p3').png().toBuffer();
    const cmyk = await plain(muted).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer();
    const cases = [
      [deep, vivid, 2],
      [p3, vivid, 3],
      [cmyk, muted, 14],
    ] as const;
    for (const [file, expected, tolerance] of cases) {
      for (const colour of await patches(await thumbnail(file, 120))) {
        expect(Math.max(...colour.map((value, i) => Math.abs(value - (expected[i] ?? 0))))).toBeLessThanOrEqual(tolerance);
      }
    }
    expect((await sharp(p3, { ignoreIcc: true }).stats()).channels[0]?.mean).toBeGreaterThan(80);
    const grey = await plain(vivid).greyscale().png().toBuffer();
    expect(await sharp(await thumbnail(grey, 120)).metadata()).toMatchObject({ format: 'jpeg', width: 64 });
  });

  it('made from a larger thumbnail is as good as one made from the picture', async () => {
    const original = await photoJpeg({ width: 1600, height: 1000 });
    const direct = await thumbnail(original, 200);
    expect(await averageDifference(await thumbnail(await thumbnail(original, 800), 200), direct)).toBeLessThan(2.5);
  });
});

it('makes a thumbnail of an ordinary JPEG and its hashes in one job', async () => {
  const run = vi.spyOn(decoders, 'run');
  onTestFinished(() => run.mockRestore());
  const folder = temporaryFolder();
  const [input, output] = ['original', 'thumbnail'].map((name) => join(folder, name)) as [string, string];
  await writeFile(input, await scene(1));
  const { picture, hashes } = await makeThumbnail(input, { width: 400, withHashes: true }, output, unbounded);
  expect(run.mock.calls.map(([kind]) => kind)).toEqual(['thumbnail']);
  expect(differentBits(hashes?.phash ?? '', (await hashesOf(output, unbounded)).phash)).toBeLessThanOrEqual(1);
  const without = await makeThumbnail(input, { width: 400 }, output, unbounded);
  expect([without.hashes, await averageDifference(without.picture, picture)]).toEqual([undefined, 0]);
});

describe("a thumbnail can't be made", () => {
  it('of a damaged picture, and the error says that it is damaged', async () => {
    await expect(thumbnail((await photoJpeg()).subarray(0, 4000), 120)).rejects.toThrow(DamagedImageError);
  });

  it("in a missing folder, and the error doesn't blame the picture", async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'original'), await image().png().toBuffer());
    const lost = makeThumbnail(join(folder, 'original'), { width: 120 }, join(folder, 'no', 'thumbnail'), unbounded);
    await expect(lost).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

function plain([r, g, b]: readonly [number, number, number]) {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: { r, g, b } } });
}

/** Replaces the coded pixels of all scans by noise without markers. */
function withFaults(file: Buffer): Buffer {
  for (let at = file.indexOf(Buffer.of(0xff, 0xda)); at < file.length - 2; at++) {
    const isMarker = file[at] === 0xff && file[at + 1] !== 0;
    if (isMarker) at += 1 + file.readUInt16BE(at + 2);
    else file[at] = ((at * at) >>> 3) % 255;
  }
  return file;
}
