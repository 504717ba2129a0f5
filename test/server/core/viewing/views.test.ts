import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getAllViews } from '#api/admin/images.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { REFERRER_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { imageViews } from '#api/images/files.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { getOwnViews } from '#api/images/views.ts';
import type { Access } from '#server/core/images/access.ts';
import { forgetReferrers, MAX_HOSTS_PER_IMAGE } from '#server/core/images/views/referrers.ts';
import { referrerHost } from '#server/core/viewing/referrer-host.ts';
import { countsAsView } from '#server/core/viewing/views.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';
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

it('waits for views that are already being stored', async () => {
  const service = await openTestContext();
  onTestFinished(() => service.close());
  const { db, views, setupCode } = service.context;
  const owner = await setUp({ url: service.url, setupCode });
  const { key, links } = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }));
  await (await fetch(links.url)).arrayBuffer();
  const begun = views.flush();
  await views.flush();
  const image = await db.read.selectFrom('images').select('views').where('key', '=', key).executeTakeFirstOrThrow();
  expect(image.views).toBe(1);
  await begun;
});

describe('the host of a referrer', () => {
  it.each([
    ['https://Example.com/a/page?with=secrets', 'example.com'],
    ['http://example.com:8080/', 'example.com'],
    ['https://example.com', 'example.com'],
    ['http://[2001:db8::1]:80/x', '[2001:db8::1]'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['https://Example.com.:8443/', 'example.com'],
  ])('of %s is %s', (referer, host) => {
    expect(referrerHost({ headers: { referer, host: 'pics.example.org' } })).toBe(host);
  });

  it.each([
    undefined,
    '',
    'about:client',
    'https://pics.example.org/s/abc',
    'https://PICS.example.org.:8443/s/abc',
    'https://user@example.com/',
    'https://<script>/',
    `https://${'a'.repeat(300)}/`,
    'ftp://example.com/',
    'https:///',
  ])('is unknown for %s', (referer) => {
    expect(referrerHost({ headers: { ...(referer !== undefined && { referer }), host: 'pics.example.org' } })).toBeUndefined();
  });
});

describe('views', async () => {
  const { service, owner } = await startFileService();
  const linus = await addUser(service, 'linus');
  const mine = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }), {}, 'mine.jpg');
  const limited = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 2 }), { max_views: '5' });
  const his = await uploadImage(service, await linus.token('upload'), await photoJpeg({ seed: 3 }), {}, 'his.jpg');
  const visit = async ({ key }: Uploaded, referer?: string) => {
    const response = await fetch(`${service.url}/i/${key}.jpg`, { headers: referer ? { referer } : {} });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  };

  it('are counted by the host that they came from, without the service’s own pages', async () => {
    await visit(mine, 'https://blog.example/2026/post');
    await visit(mine, 'https://blog.example/about');
    await visit(mine, 'https://forum.example/');
    await visit(mine, `${service.url}/s/${mine.key}`);
    await visit(mine);
    await visit(limited, 'https://blog.example/');
    await visit(his, 'https://his.example/');
    const views = await owner.client.call(imageViews, { params: { key: mine.key }, query: {} });
    expect(views).toMatchObject({
      total: 5,
      sources: [
        { host: 'blog.example', views: 2 },
        { host: 'forum.example', views: 1 },
      ],
    });
    expect((await owner.client.call(imageViews, { params: { key: limited.key }, query: {} })).sources).toEqual([
      { host: 'blog.example', views: 1 },
    ]);
  });

  it('are reported to each user for their own pictures, and to admins for all', async () => {
    const own = await owner.client.call(getOwnViews, { query: { days: 7 } });
    expect(own).toMatchObject({ total: 6, counts_sources: true });
    expect(own.days).toHaveLength(7);
    expect(own.days.at(-1)?.views).toBe(6);
    expect(own.images.map(({ image, views }) => [image.key, views])).toEqual([
      [mine.key, 5],
      [limited.key, 1],
    ]);
    expect(own.sources).toEqual([
      { host: 'blog.example', views: 3 },
      { host: 'forum.example', views: 1 },
    ]);
    const others = await linus.client.call(getOwnViews, { query: {} });
    expect([others.total, others.images.map(({ image }) => image.key), others.sources]).toEqual([
      1,
      [his.key],
      [{ host: 'his.example', views: 1 }],
    ]);
    const all = await owner.client.call(getAllViews, { query: {} });
    expect(all.total).toBe(7);
    expect(all.images.find(({ image }) => image.key === his.key)?.image).toMatchObject({ owner: { username: 'linus' } });
    expect(all.images[0]?.image.links.delete_url).toBeUndefined();
    expect(all.sources.map(({ host }) => host)).toEqual(['blog.example', 'forum.example', 'his.example']);
  });

  it('are closed to strangers, and all users’ to anyone but admins', async () => {
    const status = async (path: string, headers: HeadersInit = {}) => (await fetch(`${service.url}/api/v1${path}`, { headers })).status;
    expect(await status('/user/views')).toBe(401);
    expect(await status('/user/views', { authorization: `Bearer ${await linus.token('upload')}` })).toBe(403);
    expect(await status('/admin/views')).toBe(401);
    expect(await status('/admin/views', { cookie: linus.cookie })).toBe(403);
    expect(await status('/admin/views', { authorization: `Bearer ${await owner.token('full')}` })).toBe(403);
  });

  it('from invented hosts take a bounded number of rows', async () => {
    for (let number = 0; number < MAX_HOSTS_PER_IMAGE + 10; number++) await visit(his, `https://invented-${number}.example/`);
    const { total, sources } = await linus.client.call(getOwnViews, { query: {} });
    expect(total).toBe(MAX_HOSTS_PER_IMAGE + 11);
    const rows = await withDatabase(service, async (db) => {
      const image = await db.read.selectFrom('images').select('id').where('key', '=', his.key).executeTakeFirstOrThrow();
      return db.read.selectFrom('image_referrers').select(['host', 'views']).where('image_id', '=', image.id).execute();
    });
    expect(rows).toHaveLength(MAX_HOSTS_PER_IMAGE + 1);
    expect(rows.reduce((sum, { views }) => sum + views, 0)).toBe(total);
    expect(sources).toContainEqual({ host: null, views: expect.any(Number) });
  });

  it('lose their hosts after the period, and when an admin turns counting off', async () => {
    const rows = () => withDatabase(service, async (db) => (await db.read.selectFrom('image_referrers').select('host').execute()).length);
    await withDatabase(service, (db) => forgetReferrers(db.as('job'), Date.now() + (REFERRER_DAYS - 1) * DAY_MS));
    expect(await rows()).toBeGreaterThan(0);
    await withDatabase(service, (db) => forgetReferrers(db.as('job'), Date.now() + REFERRER_DAYS * DAY_MS));
    expect(await rows()).toBe(0);
    await visit(mine, 'https://blog.example/');
    expect((await owner.client.call(getOwnViews, { query: {} })).sources).toHaveLength(1);
    await owner.client.call(changeAdminSettings, { body: { count_referrers: false } });
    expect(await rows()).toBe(0);
    await visit(mine, 'https://blog.example/');
    expect(await owner.client.call(getOwnViews, { query: {} })).toMatchObject({ sources: [], counts_sources: false });
  });

  it('from the link address have no host, if that is an IPv6 address, too', async () => {
    const base_url = 'http://[2001:db8::1]:7410';
    await owner.client.call(changeAdminSettings, { body: { count_referrers: true, base_url } });
    await visit(mine, `${base_url}/s/${mine.key}`);
    await visit(mine, 'http://[2001:db8::2]/');
    expect((await owner.client.call(getOwnViews, { query: {} })).sources).toEqual([{ host: '[2001:db8::2]', views: 1 }]);
  });
});
