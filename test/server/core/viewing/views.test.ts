import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import type { Access } from '#server/core/images/access.ts';
import { countsAsView } from '#server/core/viewing/views.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

/** Requests a picture concurrently; returns the number of responses per status, and of 200s with the whole picture. */
async function requestConcurrently({ key, size }: Uploaded, times: number, headers: (index: number) => HeadersInit = () => ({})) {
  const responses = await Promise.all(
    Array.from({ length: times }, async (_, index) => {
      const response = await fetch(`${sharing.url}/i/${key}.jpg`, { headers: headers(index) });
      return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
    }),
  );
  const statuses = Map.groupBy(responses, ({ status }) => status);
  return {
    ok: statuses.get(200)?.length ?? 0,
    gone: statuses.get(410)?.length ?? 0,
    whole: responses.filter(({ status, bytes }) => status === 200 && bytes === size).length,
  };
}

it.each([
  ['the original, sent to others', 'GET', { allowed: true, isOwner: false }, true],
  ['the original, sent to its owner', 'GET', { allowed: true, isOwner: true }, false],
  ['its headers', 'HEAD', { allowed: true, isOwner: false }, false],
  ['a refusal', 'GET', { allowed: false, code: 'expired' }, false],
] satisfies [string, string, Access, boolean][])('whether it counts as a view: %s', (_name, method, access, expected) => {
  expect(countsAsView({ method, headers: {} }, access, { duration: null, max_views: 0 })).toBe(expected);
});

describe('200 concurrent requests for a picture with five views', () => {
  it('serve all of it exactly five times', async () => {
    const image = await sharing.upload({ max_views: '5' });
    expect(await requestConcurrently(image, 200)).toEqual({ ok: 5, gone: 195, whole: 5 });
    expect(await sharing.viewsOf(image.key)).toBe(5);
  });

  it('serve all of it exactly five times with a password, by header and by cookie', async () => {
    const image = await sharing.upload({ max_views: '5', access_password: 'open sesame' });
    const unlocked = await sendJson(`${sharing.url}/api/v1/s/${image.key}/unlock`, 'POST', { password: 'open sesame' });
    const cookie = unlocked.headers.getSetCookie()[0]?.split(';')[0] as string;
    const counted = await requestConcurrently(image, 200, (index) =>
      index % 2 ? [['cookie', cookie]] : [['x-image-password', 'open sesame']],
    );
    expect(counted).toEqual({ ok: 5, gone: 195, whole: 5 });
  });

  it('count an admin’s views, but not the owner’s', async () => {
    const { owners, admin } = sharing;
    const image = await sharing.upload({ max_views: '5' });
    const viewers = [...Object.values(owners), { cookie: admin.cookie }, {}];
    const counted = await requestConcurrently(image, 200, (index) => viewers[index % viewers.length] as Record<string, string>);
    expect(counted).toEqual({ ok: 105, gone: 95, whole: 105 });
    expect(await sharing.viewsOf(image.key)).toBe(5);
  });
});

it("doesn't count HEAD, thumbnails, metadata, pages, prefetches or wrong passwords as views", async () => {
  const { url } = sharing;
  const { key } = await sharing.upload({ max_views: '1', access_password: 'open sesame' });
  const headers = { 'x-image-password': 'open sesame' };
  const statuses = [
    await fetch(`${url}/i/${key}.jpg`, { method: 'HEAD', headers }),
    await fetch(`${url}/t/${key}.jpg`, { headers }),
    await fetch(`${url}/api/v1/s/${key}`, { headers }),
    await fetch(`${url}/s/${key}`, { headers }),
    await fetch(`${url}/i/${key}.jpg`, { headers: { 'x-image-password': 'guess' } }),
    await fetch(`${url}/i/${key}.jpg`, { headers: { ...headers, 'sec-purpose': 'prefetch;anonymous-client-ip' } }),
    await fetch(`${url}/i/${key}.jpg`, { headers: { ...headers, purpose: 'prefetch' } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 403, 200, 200, 401, 403, 403]);
  expect(await sharing.viewsOf(key)).toBe(0);
  expect((await fetch(`${url}/i/${key}.jpg`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/i/${key}.jpg`, { headers })).status).toBe(410);
});

it('allows prefetching a picture without a view limit', async () => {
  const { key } = await sharing.upload();
  expect((await fetch(`${sharing.url}/i/${key}.jpg`, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(200);
});

it('sends a view-limited picture whole and uncached, whatever range or condition is requested', async () => {
  const { key, size, sha256 } = await sharing.upload({ max_views: '3' });
  for (const [name, value] of [
    ['range', 'bytes=0-9'],
    ['if-none-match', `"${sha256}"`],
    ['range', 'bytes=999999-'],
  ] as const) {
    const response = await fetch(`${sharing.url}/i/${key}.jpg`, { headers: { [name]: value } });
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, size]);
    expect(response.headers.get('accept-ranges')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  }
  expect(await sharing.viewsOf(key)).toBe(3);
});

it('counts views from when the limit is set, and continues when it is raised', async () => {
  const image = await sharing.upload();
  const limit = (max_views: number | null) =>
    sendJson(`${sharing.url}/api/v1/images/${image.key}`, 'PATCH', { max_views }, { cookie: sharing.bea.cookie });
  await requestConcurrently(image, 5);
  await limit(2);
  expect(await requestConcurrently(image, 5)).toEqual({ ok: 2, gone: 3, whole: 2 });
  await limit(3);
  expect(await requestConcurrently(image, 5)).toEqual({ ok: 1, gone: 4, whole: 1 });
  expect(await dataOf(await sharing.bea.fetch(`/api/v1/images/${image.key}`))).toMatchObject({ max_views: 3, views_left: 0 });
  await limit(null);
  expect((await requestConcurrently(image, 5)).ok).toBe(5);
  await limit(2);
  expect(await requestConcurrently(image, 5)).toEqual({ ok: 2, gone: 3, whole: 2 });
});

it('shows the remaining views on the share page, and counts a view that the client aborts', async () => {
  const { key } = await sharing.upload({ max_views: '3' });
  const left = async () => (await dataOf(await fetch(`${sharing.url}/api/v1/s/${key}`))).views_left;
  expect(await left()).toBe(3);
  await disconnectDuring(`/i/${key}.jpg`);
  await expect.poll(left).toBe(2);
});

it("counts each view of an unlimited picture once, except its owner's", async () => {
  const { url, bea, owners } = sharing;
  const image = await sharing.upload();
  const plain = await requestConcurrently(image, 20);
  expect(plain.whole).toBe(20);
  for (const headers of Object.values(owners)) await fetch(`${url}/i/${image.key}.jpg`, { headers });
  await fetch(`${url}/i/${image.key}.jpg`, { headers: { 'if-none-match': `"${image.sha256}"` } });
  await fetch(`${url}/i/${image.key}.jpg`, { method: 'HEAD' });
  const views = async () => (await dataOf(await bea.fetch(`/api/v1/images/${image.key}`))).views;
  await expect.poll(views, { timeout: 15_000 }).toBe(20);
});

/** Requests a path and disconnects at the first byte. */
function disconnectDuring(path: string): Promise<void> {
  const { hostname, port } = new URL(sharing.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject);
    socket.once('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}
