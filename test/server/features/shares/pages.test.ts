import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

const page = (key: string, headers: Record<string, string> = {}) => fetch(`${sharing.url}/s/${key}`, { headers });

/** The tags of a page's head by their names. */
function tagsOf(html: string): Record<string, string> {
  const found = html.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name, content]) => [name, content]));
}

it('describes a public picture to chat programs, with absolute links and an existing preview', async () => {
  const image = await sharing.upload({}, 'Küche.jpg');
  const response = await page(image.key);
  const html = await response.text();
  const tags = tagsOf(html);
  expect(tags).toEqual({
    robots: 'noindex',
    'og:type': 'website',
    'og:site_name': 'Pixdock',
    'og:title': 'Küche.jpg',
    'og:url': image.links.share_url,
    'og:image': `${image.links.thumbnail_url}?w=960`,
    'og:image:type': 'image/jpeg',
    'og:image:width': '80',
    'og:image:height': '60',
    'og:image:alt': 'Küche.jpg',
    'twitter:card': 'summary_large_image',
    'twitter:title': 'Küche.jpg',
    'twitter:image': `${image.links.thumbnail_url}?w=960`,
    'twitter:image:alt': 'Küche.jpg',
  });
  expect(html).toContain('<title>Küche.jpg · Pixdock</title>');
  expect(html).toContain('<div id="root"></div>');
  const embedding = `${sharing.service.linkAddress}/oembed?url=${encodeURIComponent(image.links.share_url)}`;
  expect(html).toContain(`<link rel="alternate" type="application/json+oembed" href="${embedding}" title="Küche.jpg · Pixdock">`);
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect((await fetch(tags['og:image'] as string)).status).toBe(200);
});

it("makes nothing but text of a picture's name", async () => {
  const name = `"><script>alert(1)</script>$&$'\`<!-- '.jpg`;
  const { key } = await sharing.upload({ name });
  const html = await (await page(key)).text();
  expect(html).not.toContain('<script');
  expect(html).not.toContain('<!--');
  expect(tagsOf(html)['og:title']).toBe('script&gt;$&amp;$&#39;`&lt;!-- &#39;.jpg');
  expect(html.match(/<\/head>/g)).toHaveLength(1);
});

describe('reveals nothing', () => {
  const PLAIN = { robots: 'noindex' };

  it('about private, locked, expired, view-limited, used-up and unknown pictures', async () => {
    const hidden = await sharing.upload({ visibility: 'private' }, 'hidden.jpg');
    const locked = await sharing.upload({ access_password: 'sesame' }, 'hidden.jpg');
    const expired = await sharing.upload({}, 'hidden.jpg');
    const limited = await sharing.upload({ max_views: '5' }, 'hidden.jpg');
    const usedUp = await sharing.upload({ max_views: '1' }, 'hidden.jpg');
    await sharing.alter(expired.key, { expires_at: 1 });
    await sharing.alter(usedUp.key, { limited_views: 1 });
    for (const [key, status] of [
      [hidden.key, 404],
      [locked.key, 200],
      [limited.key, 200],
      [expired.key, 410],
      [usedUp.key, 410],
      ['AAAAAAAAAAAA', 404],
      ['nonsense', 404],
    ] as const) {
      const response = await page(key);
      const html = await response.text();
      expect([response.status, tagsOf(html)]).toEqual([status, PLAIN]);
      expect(html).toContain('<title>Pixdock</title>');
      expect(html).not.toMatch(/hidden|oembed/);
    }
  });

  it('about pictures that only the owner can see, even to the owner: others store previews', async () => {
    const { key } = await sharing.upload({ visibility: 'private' });
    for (const headers of [...Object.values(sharing.owners), { cookie: sharing.admin.cookie }]) {
      const response = await page(key, headers);
      expect([response.status, tagsOf(await response.text())]).toEqual([200, PLAIN]);
    }
  });
});

it('refuses writes', async () => {
  const { key } = await sharing.upload();
  const response = await fetch(`${sharing.url}/s/${key}`, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('follows the configured base URL in its links, not the request', async () => {
  await using other = await startSharing({ baseUrl: 'https://pics.example.org' });
  const { key } = await other.upload();
  const tags = tagsOf(await (await fetch(`${other.url}/s/${key}`)).text());
  expect(tags['og:url']).toBe(`https://pics.example.org/s/${key}`);
  expect(tags['og:image']).toBe(`https://pics.example.org/t/${key}.jpg?w=960`);
});

describe('oembed', () => {
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
});
