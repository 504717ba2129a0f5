import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ExifEntry, exifOf, TAG } from '#test/helpers/pictures/exif.ts';
import { image, type PhotoOptions, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { metadataOf } from '#test/helpers/pictures/metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function takenAt(file: Buffer, format: Parameters<typeof metadataOf>[1]): Promise<string | undefined> {
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

  /** `TZ` of this process: Vitest's workers have that of the machine. */
  const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts).toISOString();
  const times = (main: ExifEntry[], camera: ExifEntry[] = []) => takenAt(exifOf(main, camera), 'tiff');
  const TIME = '2019:05:14 10:20:30';

  it.each([
    ['inline_off', '2019-05-14T08:20:30.000Z'],
    ['isoz', '2019-05-14T10:20:30.000Z'],
    ['off_nocolon', '2019-05-14T08:20:30.000Z'],
    ['off_blank_then_9010', '2019-05-14T08:20:30.000Z'],
    ['only_digitized', local(2019, 4, 14, 10, 20, 30)],
    ['only_ifd0', local(2019, 4, 14, 10, 20, 30)],
    ['9999', undefined],
  ])('of a file that real programs wrote (%s) is read', async (name, expected) => {
    expect(await takenAt(await readFile(`test/fixtures/inputs/date-${name}.jpg`), 'jpeg')).toBe(expected);
  });

  it.each([
    ['+02:00', 8, 20],
    ['+0200', 8, 20],
    ['+02', 8, 20],
    [' +2:00 ', 8, 20],
    ['-03:30', 13, 50],
    ['Z', 10, 20],
    ['utc', 10, 20],
    ['GMT', 10, 20],
  ])('has the offset %j, in a tag of its own or behind the time', async (offset, hour, minute) => {
    const expected = `2019-05-14T${String(hour).padStart(2, '0')}:${minute}:30.000Z`;
    for (const [time, own] of [
      [TAG.taken, TAG.offsetTaken],
      [TAG.digitized, TAG.offsetDigitized],
      [TAG.changed, TAG.offset],
    ] as const) {
      const [main, camera] = time === TAG.changed ? [[[time, TIME]], []] : [[], [[time, TIME]]];
      expect(await times(main as ExifEntry[], [...camera, [own, offset]] as ExifEntry[]), `${time}`).toBe(expected);
      expect(await times([], [[time, `${TIME}${offset}`]]), `${time}, inline`).toBe(expected);
    }
  });

  it.each([
    ['blank', '   :  '],
    ['empty', ''],
    ['a word', 'CEST'],
    ['impossible', '+99:00'],
  ])('has the next offset where the first is %s', async (_, offset) => {
    const rest: ExifEntry[] = [
      [TAG.taken, TIME],
      [TAG.offsetTaken, offset],
    ];
    expect(await times([], [...rest, [TAG.offset, '+02:00']])).toBe('2019-05-14T08:20:30.000Z');
    expect(await times([], [...rest, [TAG.offsetDigitized, '-01:00']])).toBe('2019-05-14T11:20:30.000Z');
    expect(await times([], rest)).toBe(local(2019, 4, 14, 10, 20, 30));
  });

  it.each([
    ['2019-05-14T10:20:30.250Z', '2019-05-14T10:20:30.000Z'],
    ['2019/05/14 10:20:30Z', '2019-05-14T10:20:30.000Z'],
    ['2019:05:14  9:20:30Z', '2019-05-14T09:20:30.000Z'],
    ['2019:05:14 10:20Z', '2019-05-14T10:20:00.000Z'],
    ['1826:06:01 12:00:00Z', '1826-06-01T12:00:00.000Z'],
  ])('is read as other programs write it: %s', async (text, expected) => {
    expect(await times([], [[TAG.taken, text]])).toBe(expected);
  });

  it.each([
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '9999:12:31 23:59:59',
    '0001:01:01 00:00:00',
    '1825:06:01 12:00:00',
    `${new Date().getUTCFullYear() + 2}:01:02 00:00:00`,
    '2019:02:31 10:20:30',
    '2019:05:14 10:99:30',
    'last summer',
  ])('comes from the next field where the first is %j', async (text) => {
    const next = '2019-05-14T10:20:30.000Z';
    expect(await times([], [[TAG.taken, text]])).toBeUndefined();
    expect(await times([], [[TAG.taken, text] as const, [TAG.digitized, `${TIME}Z`] as const])).toBe(next);
    expect(await times([[TAG.changed, `${TIME}Z`]], [[TAG.taken, text] as const, [TAG.digitized, text] as const])).toBe(next);
    expect(await times([], [[TAG.taken, text] as const, [TAG.taken, `${TIME}Z`] as const])).toBe(next);
  });

  it('is that of the shot, also where the file was changed later', async () => {
    const later = '2024:01:01 00:00:00Z';
    expect(await times([[TAG.changed, later]], [[TAG.digitized, later] as const, [TAG.taken, `${TIME}Z`] as const])).toBe(
      '2019-05-14T10:20:30.000Z',
    );
  });
});

describe('the orientation of a picture', () => {
  const orientation = async (...entries: ExifEntry[]) => {
    const path = join(temporaryFolder(), 'picture');
    await writeFile(path, exifOf(entries));
    return (await metadataOf(path, 'tiff')).orientation;
  };
  const SIX: ExifEntry = [TAG.orientation, 6];

  it('is the first that is valid, as in browsers', async () => {
    expect(await orientation(SIX)).toBe(6);
    expect(await orientation([TAG.orientation, 1], SIX)).toBe(1);
    expect(await orientation(SIX, [TAG.orientation, 1])).toBe(6);
    for (const invalid of [
      [TAG.orientation, 0],
      [TAG.orientation, 9],
      [TAG.orientation, 1, 1, 3],
      [TAG.orientation, 4, 1, 3],
      [TAG.orientation, 3, 2, 3],
    ] as const) {
      expect(await orientation(invalid), `${invalid}`).toBe(1);
      expect(await orientation(invalid, SIX), `${invalid}`).toBe(6);
    }
  });
});
