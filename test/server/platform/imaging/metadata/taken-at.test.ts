import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { SniffedFormat } from '#server/platform/imaging/types.ts';
import { image, type PhotoOptions, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { metadataOf } from '#test/helpers/pictures/metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function takenAt(file: Buffer, format: Exclude<SniffedFormat, 'svg'>): Promise<string | undefined> {
  const path = join(temporaryFolder(), 'picture');
  await writeFile(path, file);
  return (await metadataOf(path, format)).takenAt?.toISOString();
}

const EXIF = { IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', OffsetTimeOriginal: '+02:00' } };
const EXPECTED = '2024-05-06T05:08:09.000Z';

describe('the capture time of a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('is read from %s', async (format) => {
    expect(await takenAt(await image().withExif(EXIF).toFormat(format).toBuffer(), format)).toBe(EXPECTED);
  });

  it('is read from tiff', async () => {
    const { exif } = await sharp(await photoJpeg({ takenAt: EXIF.IFD2.DateTimeOriginal, offset: '+02:00' })).metadata();
    expect(await takenAt(exif?.subarray('Exif00'.length) ?? Buffer.alloc(0), 'tiff')).toBe(EXPECTED);
  });

  it('is local time if the camera recorded no time zone', async () => {
    const local = new Date(2023, 11, 31, 23, 59, 58).toISOString();
    expect(await takenAt(await photoJpeg({ takenAt: '2023:12:31 23:59:58' }), 'jpeg')).toBe(local);
  });

  it.each([
    ['a camera whose clock was never set', { takenAt: '0000:00:00 00:00:00' }],
    ['an invalid month', { takenAt: '2024:13:01 00:00:00' }],
    ['words', { takenAt: 'last summer, I think' }],
    ['no EXIF', {}],
  ] satisfies [string, PhotoOptions][])('is unknown for %s', async (_, options) => {
    expect(await takenAt(await photoJpeg(options), 'jpeg')).toBeUndefined();
  });

  it('is unknown for broken EXIF, without an error', async () => {
    expect(await takenAt(Buffer.from('II*\0\xff\xff\xff\xff', 'latin1'), 'tiff')).toBeUndefined();
    expect(await takenAt(await png(), 'png')).toBeUndefined();
  });
});
