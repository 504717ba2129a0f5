import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { updateImage } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { checkSlug } from '#api/images/slugs.ts';
import { purgeTrash } from '#api/images/trash.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, startSharing } from '#test/helpers/service/sharing.ts';

const sharing = await startSharing();
afterAll(() => sharing[Symbol.asyncDispose]());
const { bea, cleo, admin, url } = sharing;

const name = (key: string, slug: string | null, who = bea) => who.client.call(updateImage, { params: { key }, body: { slug } });
const check = async (slug: string, key?: string, who = cleo) =>
  (await who.client.call(checkSlug, { params: { slug } as never, query: { key } as never })).problem;
const status = async (path: string, headers: Record<string, string> = {}) => (await fetch(url + path, { headers })).status;

let count = 0;
let slug: string;
beforeEach(() => {
  slug = `release-notes-${++count}`;
});

describe('a custom address', () => {
  it('opens direct, thumbnail and share links in upper or lower case, alongside the key, and is in all links', async () => {
    const { key } = await sharing.upload();
    const { links } = await name(key, ` ${slug.toUpperCase()} `);
    expect(links).toMatchObject({ url: `${url}/i/${slug}.jpg`, share_url: `${url}/s/${slug}`, thumbnail_url: `${url}/t/${slug}.jpg` });
    const bytes = async (path: string) => Buffer.from(await (await fetch(url + path)).arrayBuffer());
    for (const place of [slug, slug.toUpperCase(), key]) {
      expect(await bytes(`/i/${place}.jpg`)).toEqual(await bytes(`/i/${key}.jpg`));
      expect(await bytes(`/t/${place}.jpg?w=120`)).toEqual(await bytes(`/t/${key}.jpg?w=120`));
      expect(await dataOf(await fetch(`${url}/api/v1/s/${place}`))).toMatchObject({ key });
      expect(await status(`/s/${place}`)).toBe(200);
    }
    expect(await status(`/i/${slug}.png`)).toBe(404);
    const { items } = await bea.client.call(listImages, { query: { q: `![notes](${url}/i/${slug}.jpg)` } });
    expect(items.map((item) => item.key)).toEqual([key]);
  });

  it('follows the rules of its picture', async () => {
    const { key } = await sharing.upload({ access_password: 'sesame' });
    await name(key, slug);
    expect(await status(`/i/${slug}.jpg`)).toBe(401);
    expect(await status(`/i/${slug}.jpg`, { 'x-image-password': 'sesame' })).toBe(200);
    await bea.client.call(updateImage, { params: { key }, body: { visibility: 'private' } });
    for (const path of [`/i/${slug}.jpg`, `/t/${slug}.jpg`, `/api/v1/s/${slug}`, `/s/${slug}`]) expect(await status(path), path).toBe(404);
    expect((await bea.fetch(`/i/${slug}.jpg`)).status).toBe(200);
  });

  it('belongs to one picture, moves when it is free, and stays with one in the trash until that is deleted permanently', async () => {
    const [first, second] = [await sharing.upload(), await sharing.upload()];
    const theirs = await uploadImage(sharing.service, await cleo.token('full'), await photoJpeg({ seed: 77 }));
    await name(first.key, slug);
    await expect(name(theirs.key, slug.toUpperCase(), cleo)).rejects.toMatchObject({ code: 'slug_taken' });
    expect([await check(slug), await check(slug, first.key, bea)]).toEqual(['taken', null]);
    await name(first.key, `${slug}-2`);
    expect(await status(`/i/${slug}.jpg`)).toBe(404);
    await name(second.key, slug);
    const etag = (await fetch(`${url}/i/${slug}.jpg`)).headers.get('etag');
    expect(etag).toBe(`"${second.sha256}"`);
    await bea.fetch(`/api/v1/images/${second.key}`, { method: 'DELETE' });
    expect([await status(`/i/${slug}.jpg`), await check(slug)]).toEqual([404, 'taken']);
    await bea.client.call(purgeTrash, { body: { keys: [second.key] } as never });
    expect(await check(slug)).toBe(null);
    await name(first.key, slug);
    expect((await fetch(`${url}/i/${slug}.jpg`)).headers.get('etag')).toBe(`"${first.sha256}"`);
    expect((await name(first.key, null)).links.url).toBe(`${url}/i/${first.key}.jpg`);
    expect(await status(`/i/${slug}.jpg`)).toBe(404);
  });

  it('goes to one of many pictures that want it at once', async () => {
    const images = await Promise.all(Array.from({ length: 5 }, () => sharing.upload()));
    const results = await Promise.allSettled(images.map(({ key }) => name(key, slug)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it.each([
    ['a', 'malformed'],
    ['-start', 'malformed'],
    ['two words', 'malformed'],
    ['käse', 'malformed'],
    ['x'.repeat(64), 'malformed'],
    ['abcdef123456', 'like_key'],
    ['ABCDEF123456', 'like_key'],
    ['Admin', 'reserved'],
    ['robots', 'reserved'],
  ])('can’t be %s: %s', async (word, problem) => {
    const { key } = await sharing.upload();
    expect(await check(word)).toBe(problem);
    await expect(name(key, word)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'slug' } });
  });

  it('can be set by the owner only, and not where an admin has turned it off', async () => {
    const { key } = await sharing.upload();
    for (const who of [cleo, admin]) await expect(name(key, slug, who)).rejects.toMatchObject({ code: 'not_found' });
    const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ slug }) };
    expect((await fetch(`${url}/api/v1/images/${key}`, init)).status).toBe(401);
    expect(await status(`/api/v1/slugs/${slug}`)).toBe(401);
    await name(key, slug);
    await admin.client.call(changeAdminSettings, { body: { custom_addresses_enabled: false } });
    await expect(name(key, `${slug}-2`)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await status(`/i/${slug}.jpg`)).toBe(200);
    expect((await name(key, null)).slug).toBe(null);
    await admin.client.call(changeAdminSettings, { body: { custom_addresses_enabled: true } });
  });
});
