import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DamagedImageError, ImageTooLargeError, InseparableImageError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { decodingBytes } from '#server/platform/imaging/memory.ts';
import { planStrip } from '#server/platform/imaging/plan-strip.ts';
import { decodeForTrial } from '#server/platform/imaging/strip.ts';
import type { ImageLimits, Probe, SniffedFormat, WebFormat } from '#server/platform/imaging/types.ts';
import { animatedAvif } from '#test/helpers/pictures/avif-sequence.ts';
import { blackPng, gifBomb, repeatedWebp, resizedHeif, webpBomb } from '#test/helpers/pictures/bombs.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { animatedGif, animatedWebp, avif, gif, image, photoJpeg, png, tiff, webp } from '#test/helpers/pictures/images.ts';
import { convertFile, inspected } from '#test/helpers/pictures/inspected.ts';
import { usingBytes } from '#test/helpers/pictures/metadata.ts';
import { apng } from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function probed(file: Buffer, format: SniffedFormat, limits?: Partial<ImageLimits>): Promise<Probe> {
  const path = join(temporaryFolder(), 'picture');
  await writeFile(path, file);
  return accept(path, format, { ...DEFAULT_IMAGE_LIMITS, ...limits });
}

const plan = (path: string, format: WebFormat) => usingBytes(path, (file) => planStrip(file, format));

/** All checks before a picture is accepted. Formats that aren't stored as they are get converted. */
async function accept(path: string, format: SniffedFormat, limits: ImageLimits): Promise<Probe> {
  if (format === 'tiff') {
    await convertFile(path, format, { to: 'png', quality: 85, limits }, `${path}.png`);
    return accept(`${path}.png`, 'png', limits);
  }
  const found = await inspected(path, format as WebFormat, limits);
  await decodeForTrial({ ...found, stored: found.file }, limits, unbounded);
  return found;
}

it('counts the bytes of the largest frame of an animated WebP, which are held twice while it is decoded', async () => {
  const bytes = await animatedWebp({ frames: 4 });
  const path = join(temporaryFolder(), 'picture');
  await writeFile(path, bytes);
  const found = await inspected(path, 'webp');
  let counted = 0;
  const decoding = Object.assign(
    <T>(room: number, work: () => Promise<T>) => {
      counted = room;
      return work();
    },
    { reading: unbounded.reading },
  );
  await decodeForTrial({ ...found, stored: found.file }, DEFAULT_IMAGE_LIMITS, decoding);
  const frames = bytes.toString('latin1').split('ANMF').slice(1);
  const sizes = frames.map((frame) => Buffer.from(frame, 'latin1').readUInt32LE());
  expect(counted - bytes.length - decodingBytes(found.header)).toBe(2 * Math.max(...sizes));
});

describe('an intact picture', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('of orientation %i has its displayed size', async (orientation) => {
    const { width, height } = await probed(await photoJpeg({ orientation }), 'jpeg');
    expect([width, height]).toEqual(orientation < 5 ? [320, 200] : [200, 320]);
  });

  it.each([
    ['png', () => png({ alpha: true }), { width: 320, height: 200, frames: 1, animated: false, hasAlpha: true }],
    ['webp', webp, { width: 320, height: 200, frames: 1, animated: false, hasAlpha: false }],
    ['avif', avif, { width: 320, height: 200, frames: 1, animated: false, hasAlpha: false }],
    ['tiff', tiff, { width: 320, height: 200, frames: 1, animated: false, hasAlpha: false }],
    ['gif', () => animatedGif({ frames: 4 }), { width: 64, height: 48, frames: 4, animated: true }],
    ['webp', () => animatedWebp({ frames: 4 }), { width: 64, height: 48, frames: 4, animated: true }],
    ['avif', animatedAvif, { width: 64, height: 48, frames: 3, animated: true }],
    ['png', apng, { width: 16, height: 16, frames: 3, animated: true }],
  ] as const)('%s is described: %#', async (format, make, expected) => {
    expect(await probed(await make(), format)).toMatchObject(expected);
  });

  it('may be CMYK, grey or 16-bit', async () => {
    expect((await probed(await photoJpeg({ icc: 'cmyk' }), 'jpeg')).width).toBe(320);
    expect((await probed(await image().toColourspace('rgb16').png().toBuffer(), 'png')).width).toBe(320);
    expect((await probed(await image().greyscale().jpeg().toBuffer(), 'jpeg')).width).toBe(320);
  });
});

const CUT: [string, SniffedFormat, () => Promise<Buffer>][] = [
  ['jpeg', 'jpeg', photoJpeg],
  ['progressive jpeg', 'jpeg', () => photoJpeg({ progressive: true })],
  ['png', 'png', png],
  ['interlaced png', 'png', () => image({ width: 64, height: 64 }).png({ progressive: true }).toBuffer()],
  ['gif', 'gif', gif],
  ['animated gif', 'gif', animatedGif],
  ['webp', 'webp', webp],
  ['lossless webp', 'webp', () => image().webp({ lossless: true }).toBuffer()],
  ['animated webp', 'webp', animatedWebp],
  ['avif', 'avif', avif],
  ['tiff', 'tiff', tiff],
];

describe.each(CUT)('a %s that is cut off', (_, format, make) => {
  it('at any tenth or by one byte is reported as damaged, by structure and by pixels', async () => {
    const file = await make();
    const path = join(temporaryFolder(), 'cut');
    for (let tenth = 0; tenth <= 10; tenth++) {
      await writeFile(path, file.subarray(0, tenth === 10 ? -1 : Math.floor((file.length * tenth) / 10)));
      await expect(accept(path, format, DEFAULT_IMAGE_LIMITS), `${tenth}/10`).rejects.toThrow(DamagedImageError);
      if (format !== 'tiff') await expect(plan(path, format as WebFormat), `${tenth}/10`).rejects.toThrow(DamagedImageError);
    }
  });
});

describe('a damaged picture with a valid structure', () => {
  it('with garbage for pixels is detected by decoding', async () => {
    const file = await png();
    const at = file.indexOf('IDAT') + 40;
    file.fill(0x55, at, at + 100);
    await expect(probed(file, 'png')).rejects.toThrow(DamagedImageError);
    await expect(probed(blackPng(64, 64, 10), 'png')).rejects.toThrow(DamagedImageError);
    await expect(probed(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 7)]), 'jpeg')).rejects.toThrow(
      DamagedImageError,
    );
  });

  it('with garbage in any frame of a WebP animation is detected', async () => {
    for (const alpha of [false, true]) {
      const still = await image({ width: 64, height: 48, alpha }).webp({ lossless: !alpha, effort: 0 }).toBuffer();
      const [simple, canvas] = [alpha ? Buffer.concat([still.subarray(0, 12), still.subarray(30)]) : still, { width: 64, height: 48 }];
      const file = repeatedWebp(simple, canvas, 3);
      expect(await probed(file, 'webp')).toMatchObject({ ...canvas, frames: 3 });
      const last = file.lastIndexOf(alpha ? 'VP8 ' : 'VP8L') + 8;
      file.fill(0, last, last + 16);
      await expect(probed(file, 'webp')).rejects.toThrow(DamagedImageError);
    }
  });

  it('is rejected if only its first bytes match the format', async () => {
    for (const [format, make] of [
      ['png', png],
      ['gif', gif],
      ['webp', webp],
      ['avif', avif],
      ['tiff', tiff],
    ] as const) {
      const start = (await make()).subarray(0, 16);
      await expect(probed(Buffer.concat([start, Buffer.alloc(2000, 0x41)]), format), format).rejects.toThrow(DamagedImageError);
    }
  });
});

describe('what is stored of a picture', () => {
  async function store(make: () => Promise<Buffer>, format: WebFormat, change: (file: Buffer) => Buffer, isRisky: boolean): Promise<void> {
    const [path, bytes] = [join(temporaryFolder(), 'picture'), await make()];
    await writeFile(path, bytes);
    await writeFile(`${path}.stored`, change(Buffer.from(bytes)));
    const found = await inspected(path, format);
    const outcome = { ...found, plan: { ...found.plan, isRisky }, stored: { path: `${path}.stored` } };
    await decodeForTrial(outcome, DEFAULT_IMAGE_LIMITS, unbounded);
  }

  it.each([
    ['an AVIF', 'avif', () => avif({ alpha: true }), (file: Buffer) => file.fill(0, file.indexOf('mdat') + 4)],
    ['a WebP', 'webp', webp, (file: Buffer) => file.subarray(0, file.length / 2)],
    ['an animated WebP', 'webp', animatedWebp, (file: Buffer) => file.subarray(0, file.lastIndexOf('ANMF'))],
  ] as const)('is decoded, so that %s is never stored damaged', async (_, format, make, damage) => {
    await expect(store(make, format, damage, false)).rejects.toThrow(DamagedImageError);
    await store(make, format, (file) => file, true);
  });

  it.each([
    ['an AVIF', 'avif', () => avif({ seed: 1 }), () => avif({ seed: 2 })],
    ['a WebP', 'webp', () => webp({ seed: 1 }), () => webp({ seed: 2 })],
    ['an animated WebP', 'webp', () => animatedWebp({ seed: 1 }), () => animatedWebp({ seed: 2 })],
  ] as const)('has the same pixels, where more than metadata was removed from %s', async (_, format, make, another) => {
    const other = await another();
    await store(make, format, () => other, false);
    await expect(store(make, format, () => other, true)).rejects.toThrow(InseparableImageError);
  });
});

describe('a bomb', () => {
  it.each([
    ['a PNG of 10¹⁰ pixels', 'png', () => blackPng(100_000, 100_000, 1)],
    ['a PNG of 101 megapixels', 'png', () => blackPng(10_100, 10_000)],
    ['a PNG of 100 000 × 1', 'png', () => blackPng(100_000, 1)],
    ['a GIF of 65 000 × 65 000', 'gif', () => gifBomb(65_000, 65_000, 1)],
    ['a GIF of 100 000 frames', 'gif', () => gifBomb(100, 100, 100_000)],
    ['a GIF of 1 000 frames of 9 megapixels', 'gif', () => gifBomb(3_000, 3_000, 1_000)],
  ] as const)('is rejected before decoding: %s', async (_, format, make) => {
    await expect(probed(make(), format)).rejects.toThrow(ImageTooLargeError);
  });

  it('is rejected as WebP and as AVIF, whichever part of the file lies about the size', async () => {
    await expect(probed(webpBomb(await webp(), 16_000_000, 16_000_000), 'webp')).rejects.toThrow(/large|damaged/i);
    await expect(probed(resizedHeif(await avif(), 40_000, 40_000), 'avif')).rejects.toThrow(ImageTooLargeError);
  });

  it.runIf(process.env.PIXDOCK_TEST_SLOW)('that takes too long to decode is stopped', async () => {
    await expect(probed(gifBomb(700, 700, 2_000), 'gif', { decodeSeconds: 1 })).rejects.toThrow(/too long to decode/);
    const side = { width: 700, height: 700 };
    await expect(probed(repeatedWebp(await webp(side), side, 2_000), 'webp', { decodeSeconds: 1 })).rejects.toThrow(/too long to decode/);
  });
});

it('suggests a fix in errors, without naming a path or library', async () => {
  const error = await probed(blackPng(100_000, 1), 'png').catch((caught: unknown) => caught as ImageTooLargeError);
  expect(error).toMatchObject({
    code: 'image_too_large',
    message: expect.stringMatching(/^The picture is 100000 × 1 pixels, .* try again\.$/),
  });
  const missing = inspected(join(temporaryFolder(), 'missing'), 'png');
  await expect(missing).rejects.not.toThrow(DamagedImageError);
});
