import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { blackPng, gifBomb, resizedHeif, webpBomb } from '#test/helpers/pictures/bombs.ts';
import { animatedGif, avif, gif, photoJpeg, png, tiff, webp } from '#test/helpers/pictures/images.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';
import { watchMemory } from '#test/helpers/programs/process-tree.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

/** The built service in its own process, so that its memory can be measured. */
let service: ChildService;
let dataDir: string;
let token: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  service = await startChildService(dataDir);
  token = await (await setUp(service)).token('upload');
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true });
});

const HEIC = await readFile(join(import.meta.dirname, '../../../fixtures/heic/arrow.heic'));
const JPEG = await photoJpeg({ width: 400, height: 300 });
const WEBP = await webp({ width: 400, height: 300 });
const AVIF = await avif({ width: 200, height: 150 });

const truncations = (name: string, bytes: Buffer): [string, Buffer, number[]][] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenths) => [
    `${name} cut at ${tenths} tenths`,
    bytes.subarray(0, Math.floor((bytes.length * tenths) / 10)),
    [400],
  ]);

const MARKUP = '<html><body><script>alert(document.domain)</script></body></html>';

const BAD: [string, Buffer, number[]][] = [
  ['nothing', Buffer.alloc(0), [400]],
  ['one byte', Buffer.from([0xff]), [415]],
  ['zeros', Buffer.alloc(4096), [415]],
  ['text', Buffer.from('hello, I am a picture'), [415]],
  ['a page', Buffer.from(MARKUP), [415]],
  ['SVG with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), [415]],
  ['SVG behind a declaration', Buffer.from('<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>'), [415]],
  ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), [415]],
  ['a program', Buffer.from('MZ\x90\0\x03\0\0\0'), [415]],
  ['a ZIP', Buffer.from('PK\x03\x04\x14\0\0\0'), [415]],
  ['a signature of JPEG alone', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), [400]],
  ['a signature of PNG alone', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), [400]],
  ['a signature of GIF alone', Buffer.from('GIF89a'), [400]],
  ['a signature of WebP alone', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), [400]],
  ['a signature of AVIF alone', Buffer.from('\0\0\0\x18ftypavif\0\0\0\0avifmif1', 'latin1'), [400]],
  ['a signature of HEIC alone', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'), [400]],
  ['a signature of TIFF alone', Buffer.from('II*\0\x08\0\0\0', 'latin1'), [400]],
  ['JPEG with its middle destroyed', Buffer.concat([JPEG.subarray(0, 200), Buffer.alloc(JPEG.length - 200)]), [400]],
  ['PNG of 30 001 pixels a side', blackPng(30_001, 1), [400]],
  ['PNG of 100 000 × 1', blackPng(100_000, 1), [400]],
  ['PNG bomb of 20 000 × 20 000', blackPng(20_000, 20_000, 10), [400]],
  ['GIF bomb of many frames', gifBomb(4000, 4000, 500), [400]],
  ['WebP that claims 16 000 × 16 000', webpBomb(WEBP, 16_000, 16_000), [400]],
  ['AVIF that claims 40 000 × 40 000', resizedHeif(AVIF, 40_000, 40_000), [400]],
  ['HEIC that claims 20 000 × 20 000', resizedHeif(HEIC, 20_000, 20_000), [400]],
  ...truncations('JPEG', JPEG),
  ...truncations('PNG', await png({ width: 400, height: 300 })),
  ...truncations('GIF', await animatedGif({ frames: 5 })),
  ...truncations('WebP', WEBP),
  ...truncations('AVIF', AVIF),
  ...truncations('HEIC', HEIC),
  ...truncations('TIFF', await tiff()),
];

const filesBelow = (folder: string) =>
  readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

it('tries at least fifty kinds', () => {
  expect(BAD.length).toBeGreaterThanOrEqual(50);
});

it('refuses every bad file with the right status, leaves nothing behind, and keeps serving other requests', async () => {
  using memory = watchMemory(service.pid);
  const statuses: [string, number, number[]][] = [];
  let slowest = 0;
  for (const [name, bytes, allowed] of BAD) {
    const refused = uploadImage(service, token, bytes, { visibility: 'private' }, 'x.jpg').then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : 0),
    );
    const started = performance.now();
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - started);
    statuses.push([name, await refused, allowed]);
  }
  expect(statuses.filter(([, status, allowed]) => !allowed.includes(status))).toEqual([]);
  expect(filesBelow('tmp')).toEqual([]);
  expect(filesBelow('blobs')).toEqual([]);
  // Generous bounds on memory and waiting time; bench/ measures the speed.
  expect(memory.peak()).toBeLessThan(1024);
  expect(slowest).toBeLessThan(10_000);
}, 180_000);

it.each([
  ['a JPEG with a page behind it', Buffer.concat([JPEG, Buffer.from(MARKUP)])],
  ['a JPEG with an archive behind it', Buffer.concat([JPEG, Buffer.from('PK\x03\x04 archive')])],
  [
    'a GIF with a script in a comment',
    Buffer.concat([(await gif()).subarray(0, -1), Buffer.from([0x21, 0xfe, 8]), Buffer.from('alert(1)'), Buffer.from([0, 0x3b])]),
  ],
])('serves %s as the picture alone', async (_name, bytes) => {
  const image: Uploaded = await uploadImage(service, token, bytes);
  const served = await fetch(image.links.url);
  const body = Buffer.from(await served.arrayBuffer()).toString('latin1');
  expect(body).not.toMatch(/script|archive|alert/);
  expect(served.headers.get('content-type')).toMatch(/^image\//);
  expect(served.headers.get('x-content-type-options')).toBe('nosniff');
  expect(served.headers.get('content-security-policy')).toContain('sandbox');
});

it.each([
  ['../../../etc/cron.d/x.jpg', 'x.jpg'],
  ['..\\..\\windows\\system32\\x.jpg', 'x.jpg'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['<img src=x onerror=alert(1)>.jpg', '<img src=x onerror=alert(1)>.jpg'],
  [`${'長'.repeat(400)}.jpg`, `${'長'.repeat(251)}.jpg`],
  ['new\nline\r\nX-Evil: 1.jpg', 'new line X-Evil: 1.jpg'],
])('turns %j into a harmless name', async (sent, shown) => {
  const image = await uploadImage(service, token, JPEG, { name: sent, max_views: '5' });
  expect(image.name).toBe(shown);
  const head = await fetch(image.links.url, { method: 'HEAD' });
  expect(head.headers.get('x-evil')).toBeNull();
  expect(image.links.html).not.toMatch(/<img src=x/);
});

it('takes a video, whose decoder is in the build as well', async () => {
  for (const name of ['h264-aac.mov', 'vp9-opus.webm'])
    expect(await uploadImage(service, token, videoFixture(name), {}, name)).toMatchObject({ kind: 'video', width: 128, has_audio: true });
});
