import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { planStrip } from '#server/platform/imaging/strip.ts';
import { image, photoJpeg } from '#test/helpers/images.ts';

const factsOf = async (bytes: Buffer) => (await planStrip(await ImageBytes.open({ path: 'memory', bytes }), 'jpeg')).jpeg;

it.each([
  ['a photo', () => photoJpeg()],
  ['a photo with full colours', () => image({ width: 33, height: 21 }).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
  ['a grey one', () => image({ width: 20, height: 30 }).greyscale().toColourspace('b-w').jpeg().toBuffer()],
])('knows of %s what libvips knows', async (_name, make) => {
  const bytes = await make();
  const { format, width, height, channels, depth, isProgressive, hasAlpha } = await sharp(bytes).metadata();
  expect(await factsOf(bytes)).toEqual({ format, width, height, channels, depth, isProgressive, hasAlpha });
});

it.each([
  ['has several scans', () => photoJpeg({ progressive: true })],
  ['has four colours', () => photoJpeg({ icc: 'cmyk' })],
  ['has a scan that names an unknown Huffman table', async () => changed(await photoJpeg(), 0xda, 2, 0x33)],
  ['has a scan of another component', async () => changed(await photoJpeg(), 0xda, 1, 0x77)],
  ['has a component without its quantisation table', async () => changed(await photoJpeg(), 0xc0, 8, 3)],
  ['has samples of twelve bits', async () => changed(await photoJpeg(), 0xc0, 0, 12)],
  ['has more codes of one bit than there are', async () => changed(await photoJpeg(), 0xc4, 1, 3)],
])('leaves a JPEG to a decoder that %s', async (_name, make) => {
  expect(await factsOf(await make())).toBeUndefined();
});

/** Changes a byte of the first segment with this marker. */
function changed(file: Buffer, marker: number, at: number, value: number): Buffer {
  file.writeUInt8(value, file.indexOf(Buffer.of(0xff, marker)) + 4 + at);
  return file;
}
