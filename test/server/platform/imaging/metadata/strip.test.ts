import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import exifr from 'exifr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { InseparableImageError } from '#server/platform/imaging/errors.ts';
import { planLength } from '#server/platform/imaging/metadata/plan.ts';
import { isUnchanged, planStrip, writeStripped } from '#server/platform/imaging/plan-strip.ts';
import type { WebFormat } from '#server/platform/imaging/types.ts';
import { displayProfile, PROFILE_NAME, withDisplayProfile, withGifProfile } from '#test/helpers/pictures/icc.ts';
import { animatedWebp, image, PRIVATE_WORDS } from '#test/helpers/pictures/images.ts';
import { usingBytes } from '#test/helpers/pictures/metadata.ts';
import {
  apng,
  isoBox,
  jpegSegment,
  plainOf,
  pngChunk,
  privateAvif,
  privateGif,
  privateJpeg,
  privatePng,
  privateWebp,
  type SampleTables,
  SECRET,
  UNREFERENCED,
  withChunk,
  withChunksInFrames,
  withSamples,
  withSequence,
} from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const MAKERS: Record<WebFormat, (orientation?: number) => Promise<Buffer>> = {
  jpeg: (orientation) => privateJpeg(orientation ? { orientation } : {}),
  png: privatePng,
  gif: privateGif,
  webp: privateWebp,
  avif: privateAvif,
};
const FORMATS = Object.keys(MAKERS) as WebFormat[];

const planOf = (path: string, format: WebFormat) => usingBytes(path, (file) => planStrip(file, format));

async function strip(original: Buffer, format: WebFormat): Promise<Buffer> {
  const path = join(temporaryFolder(), 'original');
  await writeFile(path, original);
  const parts: Buffer[] = [];
  const plan = await planOf(path, format);
  await writeStripped({ path }, plan, { write: async (bytes) => void parts.push(Buffer.from(bytes)) });
  const stripped = Buffer.concat(parts);
  expect(planLength(plan)).toBe(stripped.length);
  return stripped;
}

/** All frames and channels, without colour conversion or rotation. */
function rawPixels(file: Buffer): Promise<Buffer> {
  return sharp(file, { pages: -1, ignoreIcc: true }).raw().toBuffer();
}

/** All frames in sRGB, by the colour profile. */
function colours(file: Buffer): Promise<Buffer> {
  return sharp(file, { pages: -1 }).toColourspace('srgb').raw().toBuffer();
}

describe.each(FORMATS)('stripping %s', (format) => {
  it('leaves nothing private behind', async () => {
    const original = await MAKERS[format]();
    const stripped = await strip(original, format);
    const words = [SECRET, ...(format === 'gif' ? [] : PRIVATE_WORDS.slice(1, 2))];
    for (const word of words) {
      expect(original.includes(word) || format === 'png', word).toBe(true);
      expect(stripped.includes(word), word).toBe(false);
    }
    if (format !== 'gif') expect(stripped.includes('GPS')).toBe(false);
    expect(stripped.includes('xpacket')).toBe(false);
  });

  it('keeps every pixel, the colour profile and the animation', async () => {
    const original = await MAKERS[format]();
    const stripped = await strip(original, format);
    expect(await rawPixels(stripped)).toEqual(await rawPixels(original));
    const [before, after] = await Promise.all([sharp(original).metadata(), sharp(stripped).metadata()]);
    expect((await colours(stripped)).equals(await colours(original))).toBe(true);
    expect([before.icc === undefined, after.icc === undefined]).toEqual([format === 'gif', format === 'gif']);
    expect([after.pages, after.loop, after.delay]).toEqual([before.pages, before.loop, before.delay]);
    expect(before.exif === undefined).toBe(format === 'gif');
    expect([after.exif, after.xmp]).toEqual([undefined, undefined]);
  });

  it('keeps the orientation, where browsers apply it', async () => {
    if (format === 'gif') return;
    for (const orientation of [3, 6, 8]) {
      const original = await MAKERS[format](orientation);
      const stripped = await strip(original, format);
      if (format === 'webp') {
        expect((await sharp(stripped).metadata()).orientation).toBeUndefined();
        expect((await rawPixels(stripped)).equals(await rawPixels(original))).toBe(true);
        continue;
      }
      const upright = await sharp(stripped).autoOrient().raw().toBuffer({ resolveWithObject: true });
      const expected = await sharp(original).autoOrient().raw().toBuffer({ resolveWithObject: true });
      expect([upright.info.width, upright.info.height]).toEqual(orientation === 3 ? [320, 200] : [200, 320]);
      expect(upright.data.equals(expected.data)).toBe(true);
    }
  });

  it('leaves a picture without metadata unchanged, and reports that', async () => {
    const original = await plainOf(format);
    const path = join(temporaryFolder(), 'original');
    await writeFile(path, original);
    expect(isUnchanged(await planOf(path, format), original.length)).toBe(true);
    expect((await strip(original, format)).equals(original)).toBe(true);
  });

  it('changes nothing the second time', async () => {
    const once = await strip(await MAKERS[format](6), format);
    expect((await strip(once, format)).equals(once)).toBe(true);
  });
});

describe('a metadata reader', () => {
  it.each(['jpeg', 'png'] as const)(
    'finds location, owner and serial number in the original %s, and none of them in the stripped one',
    async (format) => {
      const original = await MAKERS[format](6);
      const all = { tiff: true, exif: true, gps: true, xmp: true, iptc: true, ifd1: true, jfif: true, ihdr: true } as const;
      expect(await exifr.parse(original, all)).toMatchObject({ Artist: PRIVATE_WORDS[1] });
      const stripped = await strip(original, format);
      const left = (await exifr.parse(stripped, all).catch(() => undefined)) ?? {};
      const harmless =
        /^(Orientation|Image(Width|Height)|BitDepth|ProfileName|ColorType|Compression|Filter|Interlace|JFIFVersion|ResolutionUnit|[XY]Resolution|Thumbnail(Width|Height))$/;
      expect(Object.keys(left).filter((key) => !harmless.test(key))).toEqual([]);
      expect(await exifr.thumbnail(stripped).catch(() => undefined)).toBeUndefined();
      expect(left.ThumbnailWidth ?? 0).toBe(0);
    },
  );
});

describe('an animated PNG', () => {
  it('keeps its frames and loses its text chunks', async () => {
    const original = await apng();
    const stripped = await strip(original, 'png');
    expect(stripped.includes(SECRET)).toBe(false);
    for (const type of ['acTL', 'fcTL', 'fdAT']) expect(count(stripped, type)).toBe(count(original, type));
  });
});

describe('the colour profile of a display', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('loses its texts and serial number in a %s, and no colour', async (format) => {
    const original = await withDisplayProfile(image(), format);
    const stripped = await strip(original, format);
    const [before, after] = await Promise.all([sharp(original).metadata(), sharp(stripped).metadata()]);
    expect([before.icc?.includes(SECRET), before.icc?.includes('mmod')]).toEqual([true, true]);
    expect([after.icc?.includes(SECRET), after.icc?.includes('mmod')]).toEqual([false, false]);
    expect(stripped.includes(SECRET) || stripped.includes(PROFILE_NAME)).toBe(false);
    expect((await colours(stripped)).equals(await colours(original))).toBe(true);
    expect((await colours(stripped)).equals(await rawPixels(stripped))).toBe(false);
    expect((await strip(stripped, format)).equals(stripped)).toBe(true);
  });

  it('is removed when it is damaged, as are the flags that announce it', async () => {
    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      const damaged = await withDisplayProfile(image(), format);
      damaged.write('gone', damaged.indexOf('acsp'), 'latin1');
      const stripped = await strip(damaged, format);
      expect(stripped.includes(SECRET), format).toBe(false);
      expect((await sharp(stripped).metadata()).icc, format).toBeUndefined();
      expect((await rawPixels(stripped)).equals(await rawPixels(damaged)), format).toBe(true);
    }
  });

  it('is removed from a PNG when its data is damaged', async () => {
    const plain = await plainOf('png');
    expect((await strip(withChunk(plain, 'iCCP', Buffer.from(`${PROFILE_NAME}\0\0${SECRET}`)), 'png')).equals(plain)).toBe(true);
  });

  it.each<[string, (data: Buffer, profile: Buffer) => Buffer, boolean]>([
    ['without the checksum of zlib', (data) => data.subarray(0, -4), true],
    ['with a wrong checksum of zlib', (data) => Buffer.concat([data.subarray(0, -1), Buffer.of(~(data.at(-1) as number) & 0xff)]), true],
    ['with more data behind it', (_data, profile) => deflateSync(Buffer.concat([profile, Buffer.alloc(50)])), true],
    ['without its last bytes', (data) => data.subarray(0, -30), false],
    ['that is shorter than it says', (_data, profile) => deflateSync(profile.subarray(0, -4)), false],
    ['with a wrong header of zlib', (data) => Buffer.concat([Buffer.of(0x78, 0), data.subarray(2)]), false],
  ])('stays in a PNG %s exactly if libpng applies it', async (_name, change, isApplied) => {
    const profile = await displayProfile();
    const original = withChunk(await plainOf('png'), 'iCCP', Buffer.concat([Buffer.from('P3\0\0'), change(deflateSync(profile), profile)]));
    const stripped = await strip(original, 'png');
    expect((await colours(stripped)).equals(await colours(original))).toBe(true);
    expect((await colours(stripped)).equals(await rawPixels(stripped))).toBe(!isApplied);
    expect(stripped.includes('iCCP')).toBe(isApplied);
  });

  it('loses its name in a PNG', async () => {
    const original = await withDisplayProfile(image(), 'png');
    const at = original.indexOf('iCCP') + 4;
    const data = original.subarray(at + original.subarray(at).indexOf(0), at + original.readUInt32BE(at - 8));
    const named = pngChunk('iCCP', Buffer.concat([Buffer.from(SECRET), data]));
    const renamed = Buffer.concat([original.subarray(0, at - 8), named, original.subarray(at + original.readUInt32BE(at - 8) + 4)]);
    const stripped = await strip(renamed, 'png');
    expect([renamed.includes(SECRET), stripped.includes(SECRET)]).toEqual([true, false]);
    expect((await colours(stripped)).equals(await colours(original))).toBe(true);
  });

  it('stays a profile in a GIF', async () => {
    const plain = await plainOf('gif');
    const original = withGifProfile(plain, await displayProfile());
    const stripped = await strip(original, 'gif');
    expect([original.includes(SECRET), stripped.includes(SECRET)]).toEqual([true, false]);
    expect([original, stripped].map((file) => file.includes('ICCRGBG1012'))).toEqual([true, true]);
    expect((await rawPixels(stripped)).equals(await rawPixels(original))).toBe(true);
    expect((await strip(stripped, 'gif')).equals(stripped)).toBe(true);
  });
});

describe('an animated WebP', () => {
  it('loses the metadata inside its frames', async () => {
    const plain = await animatedWebp();
    const original = withChunksInFrames(plain);
    expect(count(original, SECRET)).toBeGreaterThanOrEqual(6);
    expect((await strip(original, 'webp')).equals(plain)).toBe(true);
  });
});

describe('an AVIF', () => {
  it.each(UNREFERENCED)('loses %s', async (_, add) => {
    const plain = await plainOf('avif');
    const original = add(plain);
    const stripped = await strip(original, 'avif');
    expect([original.includes(SECRET), stripped.includes(SECRET)]).toEqual([true, false]);
    expect(stripped).toHaveLength(original.length);
    expect((await rawPixels(stripped)).equals(await rawPixels(plain))).toBe(true);
  });
});

it('removes a second part of a JPEG’s profile with the same number', async () => {
  const once = await strip(await withDisplayProfile(image(), 'jpeg'), 'jpeg');
  const at = once.indexOf('ICC_PROFILE') - 4;
  const end = at + 2 + once.readUInt16BE(at + 2);
  const repeated = Buffer.concat([
    once.subarray(0, end),
    jpegSegment(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${SECRET}`)),
    once.subarray(end),
  ]);
  expect((await strip(repeated, 'jpeg')).equals(once)).toBe(true);
});

describe('an AVIF with a sequence', () => {
  it('loses times, texts and those of its profile', async () => {
    const original = withSequence(await plainOf('avif'), await displayProfile());
    const stripped = await strip(original, 'avif');
    expect(count(original, SECRET)).toBeGreaterThan(10);
    expect(stripped.includes(SECRET) || stripped.includes(PROFILE_NAME)).toBe(false);
    expect([original, stripped].map((file) => count(file, 'rTRC'))).toEqual([1, 1]);
    expect(stripped).toHaveLength(original.length);
    expect((await strip(stripped, 'avif')).equals(stripped)).toBe(true);
  });

  it.each(['mdat', 'imda', 'free'])('keeps its samples in a box %s, and loses the data around them', async (box) => {
    const original = withSamples(await plainOf('avif'), { box });
    const stripped = await strip(original, 'avif');
    const none = SECRET.replaceAll(/./g, '\0');
    const expected = `${box}${none}1112222${none}3444${none}555555${none}`;
    expect([original.includes(SECRET), stripped.toString('latin1').endsWith(expected)]).toEqual([true, true]);
    expect(stripped).toHaveLength(original.length);
  });

  it.each<[string, SampleTables]>([
    ['end outside the file', { chunks: [13, 33, 1e6] }],
    ['are fewer than their chunks hold', { sizes: [3, 4, 1] }],
    ['belong to no run', { runs: [[4, 1]] }],
    ['have data in another table', { more: 'saio' }],
    ['have compact sizes', { more: 'stz2' }],
  ])('keeps all data where its samples %s', async (_, tables) => {
    const original = withSamples(await plainOf('avif'), tables);
    expect((await strip(original, 'avif')).equals(original)).toBe(true);
    await expect(strip(Buffer.concat([original, isoBox('free', Buffer.from(SECRET))]), 'avif')).rejects.toThrow(InseparableImageError);
  });
});

describe('the result of stripping', () => {
  it.each<[string, WebFormat, () => Promise<Buffer>, boolean]>([
    ['an AVIF with metadata', 'avif', privateAvif, false],
    ['an AVIF with free space', 'avif', async () => Buffer.concat([await privateAvif(), isoBox('free', Buffer.from(SECRET))]), false],
    ['an AVIF with an unknown box', 'avif', async () => Buffer.concat([await privateAvif(), isoBox('prVt', Buffer.from(SECRET))]), true],
    [
      'an AVIF with data that no item refers to',
      'avif',
      async () => Buffer.concat([await privateAvif(), isoBox('mdat', Buffer.from(SECRET))]),
      true,
    ],
    ['an AVIF with two tables of contents', 'avif', async () => withAnotherTable(await privateAvif()), true],
    ['an AVIF whose items have two places', 'avif', async () => withTwoPlaces(await privateAvif()), true],
    [
      'a WebP with metadata',
      'webp',
      () =>
        image()
          .withExif({ IFD0: { Artist: SECRET } })
          .withIccProfile('p3')
          .webp()
          .toBuffer(),
      false,
    ],
    ['a WebP with an unknown chunk', 'webp', privateWebp, true],
    ['an animated WebP', 'webp', animatedWebp, false],
    ['an animated WebP with unknown chunks', 'webp', async () => withChunksInFrames(await animatedWebp()), true],
  ])('of %s is compared with the original if need be: %s', async (_, format, make, expected) => {
    const path = join(temporaryFolder(), 'original');
    await writeFile(path, await make());
    expect((await planOf(path, format)).isRisky).toBe(expected);
  });
});

describe('a CMYK photo', () => {
  it('loses the measurements in its profile, which is in many segments, and no colour', async () => {
    const original = await privateJpeg({ icc: 'cmyk' });
    const stripped = await strip(original, 'jpeg');
    expect([original, stripped].map((file) => file.includes('CTI3'))).toEqual([true, false]);
    expect(stripped.length).toBeLessThan(original.length / 2);
    expect((await colours(stripped)).equals(await colours(original))).toBe(true);
  });

  it("keeps Adobe's marker, without which its colours would be inverted", async () => {
    const original = await privateJpeg({ icc: 'cmyk' });
    expect(original.includes('Adobe')).toBe(true);
    const stripped = await strip(original, 'jpeg');
    expect(await sharp(stripped).toColourspace('srgb').raw().toBuffer()).toEqual(
      await sharp(original).toColourspace('srgb').raw().toBuffer(),
    );
    expect(stripped.includes('Adobe')).toBe(true);
  });
});

it('streams a large file in small chunks', async () => {
  const path = join(temporaryFolder(), 'large.jpg');
  const photo = await plainOf('jpeg');
  await writeFile(path, Buffer.concat([photo.subarray(0, -2), Buffer.alloc(32 * 1024 * 1024, 1), photo.subarray(-2)]));
  const sizes: number[] = [];
  await writeStripped({ path }, await planOf(path, 'jpeg'), { write: async (bytes) => void sizes.push(bytes.length) });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(photo.length + 32 * 1024 * 1024);
});

function withAnotherTable(file: Buffer): Buffer {
  const at = file.indexOf('meta') - 4;
  return Buffer.concat([file, file.subarray(at, at + file.readUInt32BE(at))]);
}

/** Counts the first item's place for the second, too. */
function withTwoPlaces(file: Buffer): Buffer {
  const at = file.indexOf('iloc') + 12;
  file.copy(file, at + 18, at, at + 2);
  return file;
}

function count(file: Buffer, word: string): number {
  return file.toString('latin1').split(word).length - 1;
}
