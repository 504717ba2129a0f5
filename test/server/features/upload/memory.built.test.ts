import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changePolicy } from '#api/admin/policies.ts';
import { ApiError } from '#api/client.ts';
import { gifBomb, repeatedWebp, resizedHeif, resizedPng, resizedProgressiveJpeg } from '#test/helpers/pictures/bombs.ts';
import { photoJpeg, png, webp } from '#test/helpers/pictures/images.ts';
import { pngChunk } from '#test/helpers/pictures/private-metadata.ts';
import { watchMemory } from '#test/helpers/programs/process-tree.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { type SignedIn, setUp, uploadImage } from '#test/helpers/service/service.ts';

/** The built service in its own process, so that its memory can be measured. */
let service: ChildService;
let memory: ReturnType<typeof watchMemory>;
let dataDir: string;
let token: string;
let owner: SignedIn;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  service = await startChildService(dataDir);
  memory = watchMemory(service.pid);
  owner = await setUp(service);
  token = await owner.token('upload');
});
afterAll(async () => {
  memory[Symbol.dispose]();
  await service.stop();
  await rm(dataDir, { recursive: true });
});

/** A picture of one colour: large in memory, small in the file. */
const plain = (width: number, height: number, green: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 10, g: green, b: 90 } }, limitInputPixels: false });

/** A picture that is as large in the file as in memory. */
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();

const interlaced = () => plain(9_100, 9_100, 1).png({ progressive: true, compressionLevel: 1 }).toBuffer();
const progressive = () => plain(9_600, 9_600, 2).jpeg({ progressive: true }).toBuffer();

/** Another file that takes as much to decode, without drawing it again. */
const otherPng = (file: Buffer) =>
  Buffer.concat([file.subarray(0, 33), pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])), file.subarray(33)]);

/** The same for a JPEG: its first table of quantisation ends with another number, which no picture of one colour uses. */
function otherJpeg(file: Buffer): Buffer {
  const other = Buffer.from(file);
  const last = other.indexOf(Buffer.from([0xff, 0xdb])) + 4 + 64;
  other.writeUInt8((other.readUInt8(last) % 250) + 1, last);
  return other;
}

/** Decoded as one picture, it takes 2.4 GB. */
const animation = async () =>
  repeatedWebp(await plain(50, 50, 5).webp().toBuffer(), { width: 50, height: 50 }, 600, { width: 1_000, height: 1_000 });
const send = (bytes: Uint8Array) => uploadImage(service, token, bytes);
/** Opens a new connection: a pooled one may have been closed while this process was busy drawing. */
const get = (url: string) => fetch(url, { headers: { connection: 'close' } });
/** The status of a thumbnail, whose body is read: one that is closed unread breaks fetch's parser. */
async function thumbnail(url: string, width: number): Promise<number> {
  const response = await get(`${url}?w=${width}`);
  await response.arrayBuffer();
  return response.status;
}

/** Ordinary use: photos and screenshots, their thumbnails, and enough direct links to fill the file cache. */
async function ordinaryDay() {
  const pictures = await Promise.all([
    photoJpeg({ width: 4000, height: 3000 }),
    photoJpeg({ width: 4000, height: 3000, progressive: true, seed: 2 }),
    png({ width: 1920, height: 1080, seed: 3 }),
    png({ width: 2560, height: 1440, alpha: true, seed: 4 }),
    webp({ width: 3000, height: 2000, seed: 5 }),
    plain(1000, 1000, 1).gif().toBuffer(),
  ]);
  const noises = await Promise.all(Array.from({ length: 60 }, () => noise(600)));
  // All at once would be more than a user may send.
  const stored = [...(await Promise.all(pictures.map(send))), ...(await Promise.all(noises.map(send)))];
  await Promise.all(stored.slice(0, 20).flatMap(({ links }) => [120, 400, 1600].map((width) => thumbnail(links.thumbnail_url, width))));
  await Promise.all(stored.map(async ({ links }) => (await get(links.url)).arrayBuffer()));
}

it.runIf(process.platform === 'linux')(
  'stays below 600 MB with several of the largest pictures and their thumbnails',
  async () => {
    await ordinaryDay();
    const [screenshot, photo] = await Promise.all([interlaced(), progressive()]);
    const large = [screenshot, photo, otherPng(screenshot), otherJpeg(photo), await animation()];
    const small = await png({ seed: 6 });
    const stored = await Promise.all([...large.map(send), send(small)]);
    expect(new Set(stored.map(({ key }) => key)).size).toBe(stored.length);
    expect(memory.peak()).toBeLessThan(600);
    const statuses = await Promise.all(stored.flatMap(({ links }) => [400, 1600].map((width) => thumbnail(links.thumbnail_url, width))));
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(memory.peak()).toBeLessThan(600);
    expect(readFileSync(`/proc/${service.pid}/maps`, 'utf8'), 'the service decodes nothing itself').not.toContain('libvips');
  },
  600_000,
);

// Only the declared size is that large: decoding a single one of these would fail as damaged.
it.runIf(process.platform === 'linux').each([
  [
    'progressive JPEG 4:4:4 of 100 megapixels',
    async () => {
      const small = await plain(40, 40, 5).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
      return resizedProgressiveJpeg(small, 10_000, 10_000);
    },
  ],
  [
    'interlaced PNG of 16 bits and 100 megapixels',
    async () => resizedPng(await plain(40, 40, 6).toColourspace('rgb16').png({ progressive: true }).toBuffer(), 10_000, 10_000),
  ],
  ['GIF of 100 megapixels', async () => gifBomb(10_000, 10_000, 1, { width: 10_000, height: 10_000 })],
  ['AVIF of 36 megapixels', async () => resizedHeif(await plain(40, 40, 8).avif({ effort: 0 }).toBuffer(), 6_000, 6_000)],
] as const)('refuses a %s, which would not fit, without decoding any of it', async (_name, make) => {
  const error = await send(await make()).catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: 'image_too_large', message: expect.stringMatching(/too much memory/) });
  expect(memory.peak()).toBeLessThan(600);
});

it('stores a picture unconverted where encoding would not fit', async () => {
  const change = (convert_to: 'webp' | null) => owner.client.call(changePolicy, { params: { id: '1' }, body: { convert_to } });
  await change('webp');
  try {
    expect((await send(await plain(6_000, 6_000, 9).jpeg().toBuffer())).ext).toBe('jpg');
    expect((await send(await plain(30, 30, 9).jpeg().toBuffer())).ext).toBe('webp');
  } finally {
    await change(null);
  }
});

it.runIf(process.platform === 'linux')(
  'converts the largest pictures to AVIF one at a time, with about a gibibyte at most',
  async () => {
    const files = await Promise.all([11, 12].map((green) => plain(7_300, 5_470, green).jpeg().toBuffer()));
    const stored = await Promise.all(files.map((file) => uploadImage(service, token, file, { convert: 'avif' })));
    expect(stored).toMatchObject([
      { ext: 'avif', width: 7_300 },
      { ext: 'avif', width: 7_300 },
    ]);
    expect(memory.peak()).toBeLessThan(1_100);
  },
  600_000,
);
