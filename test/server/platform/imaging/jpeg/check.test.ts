import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { readJpegFrame } from '#server/platform/imaging/jpeg/check.ts';
import { planStrip } from '#server/platform/imaging/plan-strip.ts';
import { image, photoJpeg, withSwappedComponents } from '#test/helpers/pictures/images.ts';

const SCAN = Buffer.of(0xff, 0xda);

const inMemory = (bytes: Buffer) => ImageBytes.open({ path: 'memory', bytes });
const factsOf = async (bytes: Buffer) => (await planStrip(await inMemory(bytes), 'jpeg')).jpeg;
const frameOf = async (bytes: Buffer) => readJpegFrame(await inMemory(bytes));

it.each([
  ['a photo', () => photoJpeg()],
  ['a photo with full colours', () => image({ width: 33, height: 21 }).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
  ['a grey one', () => image({ width: 20, height: 30 }).greyscale().toColourspace('b-w').jpeg().toBuffer()],
])('reports the same about %s as libvips', async (_name, make) => {
  const bytes = await make();
  const { format, width, height, channels, depth, isProgressive, hasAlpha } = await sharp(bytes).metadata();
  expect(await factsOf(bytes)).toEqual({ format, width, height, channels, depth, isProgressive, hasAlpha });
  expect(await frameOf(bytes)).toEqual(await factsOf(bytes));
});

it.each([
  ['in colour', 1.5, () => photoJpeg({ progressive: true })],
  ['with full colours', 3, () => image({ width: 33, height: 21 }).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()],
  ['in grey', 1, () => image({ width: 20, height: 30 }).greyscale().toColourspace('b-w').jpeg({ progressive: true }).toBuffer()],
])('knows of a progressive one %s what libvips knows, and how many samples it has', async (_name, samples, make) => {
  const bytes = await make();
  const { format, width, height, channels, depth, hasAlpha } = await sharp(bytes).metadata();
  expect(await factsOf(bytes)).toEqual({ format, width, height, channels, depth, isProgressive: true, hasAlpha, samples });
  expect(await frameOf(bytes)).toEqual(await factsOf(bytes));
});

it.each([
  ['has four colours', () => photoJpeg({ icc: 'cmyk' })],
  ['has samples of twelve bits', async () => changed(await photoJpeg(), 0xc0, 0, 12)],
])('leaves the frame of a JPEG that %s to a decoder', async (_name, make) => {
  expect(await frameOf(await make())).toBeUndefined();
});

it.each([
  ['has a progressive frame with a scan of all coefficients', async () => changed(await photoJpeg({ progressive: true }), 0xda, 8, 63)],
  ['is progressive and skips a bit', async () => changed(await photoJpeg({ progressive: true }), 0xda, 9, 0x31)],
  ['is progressive and names an unknown Huffman table', async () => changed(await photoJpeg({ progressive: true }), 0xda, 2, 0x33)],
  [
    'is progressive without a scan of the colours',
    async () => withScans(await photoJpeg({ progressive: true }), (scans) => scans.slice(-1)),
  ],
  [
    'is progressive with more scans than any encoder writes',
    async () => withScans(await photoJpeg({ progressive: true }), (scans) => Array(4).fill(scans).flat()),
  ],
  ['has four colours', () => photoJpeg({ icc: 'cmyk' })],
  ['has a scan that names an unknown Huffman table', async () => changed(await photoJpeg(), 0xda, 2, 0x33)],
  ['has a scan of another component', async () => changed(await photoJpeg(), 0xda, 1, 0x77)],
  ['has a scan with its components in another order', async () => withSwappedComponents(await photoJpeg())],
  ['has a component without its quantisation table', async () => changed(await photoJpeg(), 0xc0, 8, 3)],
  ['has samples of twelve bits', async () => changed(await photoJpeg(), 0xc0, 0, 12)],
  ['has more codes of one bit than there are', async () => changed(await photoJpeg(), 0xc4, 1, 3)],
])('leaves a JPEG that %s to a decoder', async (_name, make) => {
  expect(await factsOf(await make())).toBeUndefined();
});

/** Changes a byte of the first segment with this marker. */
function changed(file: Buffer, marker: number, at: number, value: number): Buffer {
  file.writeUInt8(value, file.indexOf(Buffer.of(0xff, marker)) + 4 + at);
  return file;
}

/** Replaces the scans of a JPEG, each with the tables behind it. */
function withScans(file: Buffer, change: (scans: Buffer[]) => Buffer[]): Buffer {
  const starts: number[] = [];
  for (let at = file.indexOf(SCAN); at > 0; at = file.indexOf(SCAN, at + 2)) starts.push(at);
  const scans = starts.map((at, i) => file.subarray(at, starts[i + 1] ?? file.length - 2));
  return Buffer.concat([file.subarray(0, starts[0]), ...change(scans), file.subarray(-2)]);
}
