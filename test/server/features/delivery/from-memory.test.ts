import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { VERSION_LENGTH } from '#api/constants.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';
import { sendJson } from '#test/helpers/service/sharing.ts';

const folder = temporaryFolder(afterAll);
await writeEmptyDatabase(folder);
const service = await openTestContext(folder);
afterAll(() => service.close());
const owner = await setUp({ url: service.url, setupCode: service.context.setupCode });
const token = await owner.token('full');
let image: Uploaded;
beforeEach(async () => {
  image = await upload();
});

let seed = 0;
/** A picture that is in memory because it has been viewed. */
async function upload(fields: Record<string, string> = {}): Promise<Uploaded> {
  const uploaded = await uploadImage(service, token, await photoJpeg({ seed: ++seed, width: 80, height: 60 }), fields, 'a photo.jpg');
  await ask(`/i/${uploaded.key}.jpg`);
  return uploaded;
}

interface Seen {
  status: number | undefined;
  /** In their order, without the values that differ between any two responses. */
  headers: string[];
  body: Buffer;
  /** Whether the route was asked. */
  byRoute: boolean;
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Seen> {
  const find = vi.spyOn(service.context.imageIndex, 'find');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(service.url + path, { method, headers }, resolve)
      .on('error', reject)
      .end();
  });
  const body = await buffer(response);
  const byRoute = find.mock.calls.length > 0;
  find.mockRestore();
  const own = response.rawHeaders.map((text, at, all) => (/^(x-request-id|date)$/i.test(all[at - 1] ?? '') ? '' : text));
  return { status: response.statusCode, headers: own, body, byRoute };
}

/** A cookie of no meaning: its sender may be someone, so the route looks. */
const BY_ROUTE = { cookie: 'theme=dark' };

describe('a public picture in memory', () => {
  it.each<[string, number, (image: Uploaded) => [query: string, headers: Record<string, string>]]>([
    ['whole', 200, () => ['', {}]],
    ['that the client has', 304, ({ sha256 }) => ['', { 'if-none-match': `W/"${sha256}"` }]],
    ['that the client has by date', 304, () => ['', { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }]],
    ['of which the client has another version', 200, () => ['', { 'if-none-match': '"other"' }]],
    ['by a link that names its version', 200, ({ sha256 }) => [`?v=${sha256.slice(0, VERSION_LENGTH)}`, {}]],
    ['by a link that names another version', 200, () => ['?v=0', {}]],
    ['for a program that waits for the end', 200, () => ['', { 'user-agent': 'PicGo/2' }]],
    ['from another site', 200, () => ['', { referer: 'https://blog.example/post', 'sec-fetch-site': 'cross-site' }]],
  ])('%s is sent without the route, byte for byte as the route sends it', async (_name, status, wish) => {
    const [query, headers] = wish(image);
    const path = `/i/${image.key}.jpg${query}`;
    const quick = await ask(path, headers);
    expect(quick).toMatchObject({ status, byRoute: false });
    expect(quick).toEqual({ ...(await ask(path, { ...headers, ...BY_ROUTE })), byRoute: false });
  });

  it('is sent without the route in each spelling of its address and its host', async () => {
    const { port } = new URL(service.url);
    const encoded = [...`/i/${image.key}.jpg`].map((one) => (one === '/' ? one : `%${one.charCodeAt(0).toString(16)}`)).join('');
    for (const path of [encoded, `/i/${image.key}%2Ejpg`])
      for (const host of [`127.0.0.1:${port}`, 'LOCALHOST.', '[::1]:80'])
        expect(await ask(path, { host })).toMatchObject({ status: 200, byRoute: false });
  });

  it('has a cache lifetime that ends with it', async () => {
    const { key, sha256 } = await upload({ expires_in: '100' });
    const { headers, byRoute } = await ask(`/i/${key}.jpg?v=${sha256.slice(0, VERSION_LENGTH)}`);
    const [, seconds] = /^public, max-age=(\d+)$/.exec(headers[headers.indexOf('Cache-Control') + 1] ?? '') ?? [];
    expect([byRoute, Number(seconds) > 80, Number(seconds) <= 100]).toEqual([false, true, true]);
  });

  it('counts each view and its source, but no 304', async () => {
    const path = `/i/${image.key}.jpg`;
    await ask(path, { referer: 'https://blog.example/post' });
    await ask(path);
    await ask(path, { 'if-none-match': `"${image.sha256}"` });
    await service.context.views.flush();
    const report = await owner.fetch(`/api/v1/images/${image.key}/views`);
    expect((await report.json()).data).toMatchObject({ total: 3, sources: [{ host: 'blog.example', views: 1 }] });
  });

  it('keeps its request IDs unique', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await fetch(image.links.url)).headers.get('x-request-id')));
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

it.each<[string, number, { headers?: Record<string, string>; method?: string; query?: string; ext?: string }]>([
  ['a foreign host', 421, { headers: { host: 'evil.example' } }],
  ['a session', 200, { headers: BY_ROUTE }],
  ['an invalid token', 401, { headers: { authorization: 'Bearer wrong' } }],
  ['a range', 206, { headers: { range: 'bytes=0-9' } }],
  ['If-Match', 412, { headers: { 'if-match': '"other"' } }],
  ['If-Unmodified-Since', 412, { headers: { 'if-unmodified-since': new Date(0).toUTCString() } }],
  ['HEAD', 200, { method: 'HEAD' }],
  ['a method that is refused', 405, { method: 'DELETE' }],
  ['a download', 200, { query: '?download=1' }],
  ['a wrong extension', 404, { ext: 'png' }],
])('leaves %s to the route', async (_name, status, { headers, method, query = '', ext = 'jpg' }) => {
  const before = (await ask(`/i/${image.key}.jpg`)).byRoute;
  expect([before, (await ask(`/i/${image.key}.${ext}${query}`, headers, method)).status]).toEqual([false, status]);
});

it.each<[string, number, (key: string) => Promise<unknown>]>([
  ['private', 404, (key) => patch(key, { visibility: 'private' })],
  ['protected by a password', 401, (key) => patch(key, { access_password: 'open sesame' })],
  [
    'limited to one view',
    410,
    async (key) => {
      await patch(key, { max_views: 1 });
      await ask(`/i/${key}.jpg`);
    },
  ],
  ['deleted', 404, (key) => owner.fetch(`/api/v1/images/${key}`, { method: 'DELETE' })],
])('refuses a picture in memory at once when it becomes %s', async (_name, status, change) => {
  const path = `/i/${image.key}.jpg`;
  expect(await ask(path)).toMatchObject({ status: 200, byRoute: false });
  await change(image.key);
  for (let times = 0; times < 2; times++) expect(await ask(path)).toMatchObject({ status, byRoute: true });
});

it('refuses a picture in memory once it has expired', async () => {
  const { key } = await upload({ expires_in: '1000' });
  const path = `/i/${key}.jpg`;
  expect(await ask(path)).toMatchObject({ status: 200, byRoute: false });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000_000 });
  try {
    expect(await ask(path)).toMatchObject({ status: 410, byRoute: true });
  } finally {
    vi.useRealTimers();
  }
});

const patch = (key: string, change: object) =>
  sendJson(`${service.url}/api/v1/images/${key}`, 'PATCH', change, { authorization: `Bearer ${token}` });
