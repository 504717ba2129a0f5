import { watch } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
let token: string;
beforeAll(async () => {
  sharing = await startSharing();
  token = await sharing.bea.token('upload');
});
afterAll(() => sharing[Symbol.asyncDispose]());

const get = (key: string, query = '') => fetch(`${sharing.url}/t/${key}.jpg${query}`);
const folderOf = (sha256: string) => join(sharing.service.dataDir, 'thumbs', sha256.slice(0, 2), sha256.slice(2, 4), `1-${sha256}`);

it('is a JPEG whose longer side has the requested width, 400 by default, never enlarged', async () => {
  const { key } = await uploadImage(sharing.service, token, await photoJpeg({ width: 500, height: 1000, seed: 900 }));
  for (const width of [undefined, ...THUMBNAIL_WIDTHS]) {
    const response = await get(key, width ? `?w=${width}` : '');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const body = Buffer.from(await response.arrayBuffer());
    expect(Number(response.headers.get('content-length'))).toBe(body.length);
    const height = Math.min(width ?? 400, 1000);
    expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', height, width: height / 2 });
  }
});

it('shows transparent areas as a grey on which black and white stand out', async () => {
  const { key } = await uploadImage(sharing.service, token, await png({ alpha: true, seed: 901 }), {}, 'a.png');
  const { data, info } = await sharp(await contentOf(get(key)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const corner = data.subarray(0, 3);
  expect(info.channels).toBe(3);
  for (const channel of corner) expect(Math.abs(channel - 0xab)).toBeLessThan(10);
});

it.each([
  'w=',
  'w=401',
  'w=0400',
  'w=400.0',
  'w=-400',
  'w=400&w=400',
  'w=400&w=200',
  'w[]=400',
  'w=4e2',
  'w=%20400',
  'w=null',
  'w=99999999999999999999',
])('is refused for ?%s', async (query) => {
  const { key } = await sharing.upload();
  if (query === 'w[]=400') return expect((await get(key, `?${query}`)).status).toBe(200); // another parameter, without a meaning
  for (const one of [key, 'AAAAAAAAAAAA', 'nonsense']) {
    const response = await get(one, `?${query}`);
    expect([one, response.status, (await dataOf(response)).code]).toEqual([one, 400, 'invalid_width']);
  }
});

it('is generated once, even for a hundred concurrent first requests', async () => {
  const { key, sha256 } = await sharing.upload();
  // Each is moved there once it is complete.
  await mkdir(folderOf(sha256), { recursive: true });
  let made = 0;
  const watcher = watch(folderOf(sha256), (event) => {
    if (event === 'rename') made++;
  });
  const responses = await Promise.all(Array.from({ length: 100 }, () => get(key)));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  const bodies = await Promise.all(responses.map(async (response) => Buffer.from(await response.arrayBuffer()).toString('base64')));
  expect(new Set(bodies).size).toBe(1);
  await expect.poll(() => made).toBeGreaterThan(0);
  watcher.close();
  expect(made).toBe(1);
  expect(await readdir(folderOf(sha256))).toEqual(['400.jpg']);
});

it('is kept, and generated again when its file is lost', async () => {
  const { key, sha256 } = await sharing.upload();
  const first = await contentOf(get(key));
  const { mtimeMs } = await stat(join(folderOf(sha256), '400.jpg'));
  await get(key);
  expect((await stat(join(folderOf(sha256), '400.jpg'))).mtimeMs).toBe(mtimeMs);
  await rm(folderOf(sha256), { recursive: true });
  const again = await get(key);
  expect([again.status, Buffer.from(await again.arrayBuffer()).equals(first)]).toEqual([200, true]);
});

it('has an ETag per width, and is 304 for a client that has it', async () => {
  const { key } = await sharing.upload();
  const tags = await Promise.all(['?w=120', '?w=200'].map(async (query) => (await get(key, query)).headers.get('etag') as string));
  expect(new Set(tags).size).toBe(2);
  const same = await fetch(`${sharing.url}/t/${key}.jpg?w=120`, { headers: { 'if-none-match': tags[0] as string } });
  const other = await fetch(`${sharing.url}/t/${key}.jpg?w=200`, { headers: { 'if-none-match': tags[0] as string } });
  expect([same.status, other.status]).toEqual([304, 200]);
});

it('responds to HEAD with the same length', async () => {
  const { key } = await sharing.upload();
  const head = await fetch(`${sharing.url}/t/${key}.jpg`, { method: 'HEAD' });
  const whole = await (await get(key)).arrayBuffer();
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.byteLength)]);
});

const inFormat = (key: string, format: string, headers: Record<string, string> = {}) =>
  fetch(`${sharing.url}/t/${key}.${format}?w=120`, { headers, redirect: 'manual' });

it('is a WebP or an AVIF by its address; until the AVIF is there, a WebP that isn’t kept', async () => {
  const { key } = await uploadImage(sharing.service, token, await png({ alpha: true, seed: 950 }), {}, 'a.png');
  const webp = await inFormat(key, 'webp');
  expect([webp.status, webp.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(await sharp(Buffer.from(await webp.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', hasAlpha: true });
  const standIn = await inFormat(key, 'avif');
  expect([standIn.headers.get('content-type'), standIn.headers.get('cache-control'), standIn.headers.get('last-modified')]).toEqual([
    'image/webp',
    'public, max-age=0, must-revalidate',
    null,
  ]);
  expect(standIn.headers.get('etag')).toBe(webp.headers.get('etag'));
  await expect.poll(async () => (await inFormat(key, 'avif')).headers.get('content-type')).toBe('image/avif');
  const avif = await inFormat(key, 'avif', { 'if-none-match': standIn.headers.get('etag') ?? '' });
  expect([avif.status, avif.headers.get('cache-control')]).toEqual([200, webp.headers.get('cache-control')]);
  expect(avif.headers.get('etag')).not.toBe(webp.headers.get('etag'));
  const body = Buffer.from(await avif.arrayBuffer());
  expect(Number(avif.headers.get('content-length'))).toBe(body.length);
  expect(await sharp(body).metadata()).toMatchObject({ format: 'heif', hasAlpha: true });
  expect((await inFormat(key, 'avif', { 'if-none-match': avif.headers.get('etag') ?? '' })).status).toBe(304);
  expect((await fetch(`${sharing.url}/t/${key}.webp`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${sharing.url}/t/${key}.gif`)).status).toBe(404);
});

it('opens in every format for those who may see the picture, and for no one else', async () => {
  const hidden = await sharing.upload({ visibility: 'private' });
  const limited = await sharing.upload({ max_views: '3' });
  const locked = await sharing.upload({ access_password: 'open sesame' });
  for (const format of ['jpg', 'webp', 'avif']) {
    for (const [who, headers] of Object.entries(sharing.strangers)) {
      const statuses = await Promise.all([hidden, limited, locked].map(async ({ key }) => (await inFormat(key, format, headers)).status));
      expect(statuses, `${format} for ${who}`).toEqual([404, 403, 401]);
    }
    for (const headers of Object.values(sharing.owners)) {
      const seen = await inFormat(hidden.key, format, headers);
      expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    }
  }
});
