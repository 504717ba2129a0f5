import { describe, expect, it } from 'vitest';
import { getAllViews } from '#api/admin/images.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { REFERRER_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { imageViews } from '#api/images/files.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { getOwnViews } from '#api/images/views.ts';
import { forgetReferrers, MAX_HOSTS_PER_IMAGE } from '#server/core/images/views/referrers.ts';
import { referrerHost } from '#server/core/viewing/referrer-host.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

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
