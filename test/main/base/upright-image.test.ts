import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { uprightImage } from '#main/base/upright-image.ts';
import { keptExif } from '#server/platform/imaging/metadata/exif.ts';
import { pngChunk } from '#test/helpers/pictures/private-metadata.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

/** Four colours, one in each corner: no two orientations look alike. */
const pixels = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0, 0, 255, 255, 255, 0, 255]);
const photo = (orientation: number) =>
  sharp(pixels, { raw: { width: 3, height: 2, channels: 3 } })
    .resize(96, 64, { kernel: 'nearest' })
    .withMetadata({ orientation })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();

/** The colours of a picture's six fields. */
const fields = async (picture: Buffer, [across, down]: [number, number]) => {
  const small = await sharp(picture).autoOrient().removeAlpha().resize(across, down, { kernel: 'nearest' }).raw().toBuffer();
  return [...small].map((value) => (value > 128 ? 1 : 0));
};

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a photo in orientation %i is turned as browsers show it', async (orientation) => {
  const bytes = await photo(orientation);
  const image = await uprightImage(bytes);
  const shape: [number, number] = orientation >= 5 ? [2, 3] : [3, 2];
  expect(image?.getSize()).toEqual({ width: shape[0] * 32, height: shape[1] * 32 });
  expect(await fields(image?.toPNG() ?? Buffer.alloc(0), shape)).toEqual(await fields(bytes, shape));
  const thumbnail = await uprightImage(bytes, 48);
  expect(await sharp(thumbnail?.toJPEG(80)).metadata()).toMatchObject({ height: 48 });
});

test('a PNG is turned, too, as browsers show it', async () => {
  const source = sharp(pixels, { raw: { width: 3, height: 2, channels: 3 } }).resize(96, 64, { kernel: 'nearest' });
  const png = await source.png().toBuffer();
  const exif = pngChunk('eXIf', keptExif(6) ?? Buffer.alloc(0));
  const image = await uprightImage(Buffer.concat([png.subarray(0, 33), exif, png.subarray(33)]), 48);
  expect(image?.getSize()).toEqual({ width: 32, height: 48 });
  expect(await fields(image?.toPNG() ?? Buffer.alloc(0), [2, 3])).toEqual(await fields(await photo(6), [2, 3]));
});

test('damaged metadata doesn’t hide a picture, and other formats aren’t decoded', async () => {
  const bytes = await photo(6);
  const exif = bytes.indexOf('Exif');
  bytes.fill(0xee, exif + 6, exif + 20);
  expect((await uprightImage(bytes))?.getSize()).toEqual({ width: 96, height: 64 });
  expect(await uprightImage(Buffer.from('<svg/>'))).toBeUndefined();
});
