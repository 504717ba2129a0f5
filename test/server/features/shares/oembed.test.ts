import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

const ask = (url: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  rawRequest(`${sharing.url}/oembed?${new URLSearchParams({ url, ...query })}`, { headers });
const embed = async (...args: Parameters<typeof ask>) => JSON.parse((await ask(...args)).body) as Record<string, unknown>;
const everyone = () => ({ ...sharing.strangers, ...sharing.owners, admin: { cookie: sharing.admin.cookie } });

describe('a public picture', () => {
  it('is a photo, by its share page and by its direct link', async () => {
    const { links } = await sharing.upload({}, 'harbour.jpg');
    const expected = {
      version: '1.0',
      type: 'photo',
      provider_name: 'Pixdock',
      provider_url: `${sharing.service.linkAddress}/`,
      cache_age: 300,
      title: 'harbour.jpg',
      url: links.url,
      width: 80,
      height: 60,
      thumbnail_url: `${links.thumbnail_url}?w=400`,
      thumbnail_width: 80,
      thumbnail_height: 60,
    };
    for (const url of [links.share_url, links.url]) {
      const response = await ask(url, { format: 'json' });
      expect([response.status, response.header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(JSON.parse(response.body)).toEqual(expected);
    }
  });

  it('is at most as large as asked for, and a mere link where nothing fits', async () => {
    const { key, links } = await sharing.upload();
    await sharing.alter(key, { width: 3000, height: 1500 });
    await sharing.service.restart();
    const size = async (query: Record<string, string>) => {
      const { type, url, width, height, thumbnail_url } = await embed(links.share_url, query);
      return [type, url, width, height, thumbnail_url];
    };
    const thumbnail = (side: number) => `${links.thumbnail_url}?w=${side}`;
    expect(await size({})).toEqual(['photo', links.url, 3000, 1500, thumbnail(400)]);
    expect(await size({ maxwidth: '1000' })).toEqual(['photo', thumbnail(960), 960, 480, thumbnail(400)]);
    expect(await size({ maxheight: '120' })).toEqual(['photo', thumbnail(240), 240, 120, thumbnail(240)]);
    expect(await size({ maxwidth: '100' })).toEqual(['link', undefined, undefined, undefined, undefined]);
  });

  it('is kept no longer than it lives', async () => {
    const { links } = await sharing.upload({ expires_in: '60' });
    expect(Number((await embed(links.share_url)).cache_age)).toBeLessThanOrEqual(60);
  });

  it('in a format that browsers do not show is embedded by its thumbnail', async () => {
    const { key, links } = await sharing.upload();
    await sharing.alter(key, { ext: 'heic' });
    await sharing.service.restart();
    expect(await embed(links.share_url)).toMatchObject({ type: 'photo', url: `${links.thumbnail_url}?w=1600` });
  });
});

it('reveals nothing about other pictures to any caller: the site that embeds one shows it to everyone', async () => {
  const hidden = await sharing.upload({ visibility: 'private' }, 'hidden.jpg');
  const locked = await sharing.upload({ access_password: 'sesame' }, 'hidden.jpg');
  const expired = await sharing.upload({}, 'hidden.jpg');
  const usedUp = await sharing.upload({ max_views: '1' }, 'hidden.jpg');
  const limited = await sharing.upload({ max_views: '5' }, 'hidden.jpg');
  await sharing.alter(expired.key, { expires_at: 1 });
  await sharing.alter(usedUp.key, { limited_views: 1 });
  for (const [name, headers] of Object.entries(everyone())) {
    for (const [image, status, code] of [
      [hidden, 404, 'not_found'],
      [locked, 401, 'password_required'],
      [expired, 410, 'expired'],
      [usedUp, 410, 'view_limit_reached'],
    ] as const) {
      for (const url of [image.links.share_url, image.links.url]) {
        const response = await ask(url, {}, { ...headers, 'x-image-password': 'sesame' });
        expect([name, response.status, response.code]).toEqual([name, status, code]);
        expect(response.body).not.toContain('hidden');
      }
    }
    const { type, title, url, thumbnail_url } = await embed(limited.links.share_url, {}, headers);
    expect([name, type, title, url, thumbnail_url]).toEqual([name, 'link', undefined, undefined, undefined]);
  }
  expect(await sharing.viewsOf(limited.key)).toBe(0);
});

describe('an album', () => {
  const create = (fields: object) =>
    sharing.bea.client.call(createAlbum, { body: { name: 'Holidays', visibility: 'public' as const, ...fields } });

  it('is a link with the cover that anyone may see', async () => {
    const { id, share_url } = await create({});
    expect(await embed(share_url)).toMatchObject({ type: 'link', title: 'Holidays' });
    const open = await sharing.upload({ album_id: id });
    await sharing.upload({ visibility: 'private', album_id: id });
    await sharing.upload({ access_password: 'sesame', album_id: id });
    await sharing.upload({ max_views: '3', album_id: id });
    for (const headers of Object.values(everyone()))
      expect(await embed(share_url, {}, headers)).toMatchObject({
        thumbnail_url: `${open.links.thumbnail_url}?w=400`,
        thumbnail_width: 80,
      });
  });

  it('that is private or locked isn’t found by any caller', async () => {
    const [hidden, locked] = [await create({ visibility: 'private' }), await create({ access_password: 'sesame' })];
    for (const headers of Object.values(everyone())) {
      const responses = [await ask(hidden.share_url, {}, headers), await ask(locked.share_url, {}, headers)];
      expect(responses.map(({ status, code }) => [status, code])).toEqual([
        [404, 'not_found'],
        [401, 'password_required'],
      ]);
      for (const { body } of responses) expect(body).not.toContain('Holidays');
    }
  });
});

it('knows only links of this site', async () => {
  const { key } = await sharing.upload();
  const { host } = new URL(sharing.url);
  for (const [url, status] of [
    [`http://localhost:${host.split(':')[1]}/s/${key}`, 404],
    [`https://evil.example/s/${key}`, 404],
    [`ftp://127.0.0.1/s/${key}`, 404],
    [`${sharing.url}/s/AAAAAAAAAAAA`, 404],
    [`${sharing.url}/s/${key}/more`, 404],
    [`${sharing.url}/albums`, 404],
    [`${sharing.url}/a/../../etc/passwd`, 404],
    ['nonsense', 404],
    [`${sharing.url}/s/${key}`, 200],
  ] as const)
    expect([url, (await ask(url)).status]).toEqual([url, status]);
  expect(await rawRequest(`${sharing.url}/oembed`)).toMatchObject({ status: 400, data: { field: 'url' } });
  expect(await ask(`${sharing.url}/s/${key}`, { format: 'xml' })).toMatchObject({ status: 400, data: { field: 'format' } });
  expect(await ask(`${sharing.url}/s/${key}`, { maxwidth: '0' })).toMatchObject({ status: 400, data: { field: 'maxwidth' } });
  expect((await rawRequest(`${sharing.url}/oembed`, { method: 'POST' })).status).toBe(405);
});
