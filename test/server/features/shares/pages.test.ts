import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
