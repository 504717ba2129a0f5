import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeImages } from '#api/admin/images.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { deleteUser } from '#api/admin/users.ts';
import { DAY_MS } from '#api/durations.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { checkSlug } from '#api/images/slugs.ts';
import { purgeTrash } from '#api/images/trash.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, startSharing } from '#test/helpers/service/sharing.ts';

const sharing = await startSharing();
afterAll(() => sharing[Symbol.asyncDispose]());
const { bea, cleo, admin, url } = sharing;

const name = (key: string, slug: string | null, who = bea) => who.client.call(updateImage, { params: { key }, body: { slug } });
const check = async (slug: string, key?: string, who = cleo) =>
  (await who.client.call(checkSlug, { params: { slug } as never, query: { key } as never })).problem;
const status = async (path: string, headers: Record<string, string> = {}) => (await fetch(url + path, { headers })).status;

/** Changes what is kept of former addresses. */
const change = (values: { until: number }) =>
  withDatabase(sharing.service, (db) => db.as('job').write((queries) => queries.updateTable('former_slugs').set(values).execute()));

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
    const bytes = (path: string) => contentOf(fetch(url + path));
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
    expect(await check(slug, undefined, bea)).toBe(null);
    await name(first.key, slug);
    expect((await fetch(`${url}/i/${slug}.jpg`)).headers.get('etag')).toBe(`"${first.sha256}"`);
    expect((await name(first.key, null)).links.url).toBe(`${url}/i/${first.key}.jpg`);
    expect(await status(`/i/${slug}.jpg`)).toBe(404);
  });

  it('that is given up is its former owner’s for as long as the trash keeps pictures', async () => {
    const theirs = await uploadImage(sharing.service, await cleo.token('full'), await photoJpeg({ seed: 78 }));
    const kept = async (address: string) => {
      for (const who of [cleo, admin])
        expect([await check(address, undefined, who), await check(address, undefined, bea)]).toEqual(['taken', null]);
      await expect(name(theirs.key, address, cleo)).rejects.toMatchObject({ code: 'slug_taken' });
      const asked = { slug: address, slug_or: 'number' };
      const { links } = await uploadImage(sharing.service, await cleo.token('full'), await photoJpeg({ seed: ++count }), asked);
      expect(links.url).toMatch(new RegExp(`/i/${address}-\\d+\\.jpg$`));
    };
    const givingUp: ((key: string) => Promise<unknown>)[] = [
      (key) => name(key, `${slug}-other`),
      (key) => name(key, null),
      (key) => bea.client.call(batchImages, { body: { action: 'purge', keys: [key] } }),
      async (key) => {
        await bea.client.call(batchImages, { body: { action: 'trash', keys: [key] } });
        await bea.client.call(purgeTrash, { body: { keys: [key] } as never });
      },
      (key) => admin.client.call(purgeImages, { body: { keys: [key] } }),
    ];
    for (const [index, giveUp] of givingUp.entries()) {
      const { key } = await sharing.upload();
      const address = `${slug}-${String.fromCharCode(97 + index)}`;
      await name(key, address);
      await giveUp(key);
      await kept(address);
      // They can use it again, with a picture that they have or with a new one.
      const back = await uploadImage(sharing.service, await bea.token('full'), await photoJpeg({ seed: 500 + count }), { slug: address });
      await name(back.key, null);
      await kept(address);
      await change({ until: Date.now() });
      expect(await check(address)).toBe(null);
      await name(theirs.key, address, cleo);
    }
  });

  it('of which the trash has kept the picture for its whole time is free with it', async () => {
    const { key } = await sharing.upload();
    await name(key, slug);
    await bea.client.call(batchImages, { body: { action: 'trash', keys: [key] } });
    await sharing.alter(key, { deleted_at: Date.now() - 30 * DAY_MS - 1 });
    await bea.client.call(purgeTrash, { body: { keys: [key] } as never });
    expect(await check(slug)).toBe(null);
  });

  it('of a deleted account is nobody’s for that time', async () => {
    const gone = await addUser(sharing.service, 'gone');
    const { key } = await uploadImage(sharing.service, await gone.token('full'), await photoJpeg({ seed: 79 }));
    await name(key, slug, gone);
    await gone.client.call(batchImages, { body: { action: 'purge', keys: [key] } });
    await admin.client.call(deleteUser, { params: { id: gone.id }, query: {} });
    const isGone = () =>
      withDatabase(
        sharing.service,
        async ({ read }) => !(await read.selectFrom('users').select('id').where('id', '=', gone.id).executeTakeFirst()),
      );
    await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
    for (const who of [bea, cleo]) expect(await check(slug, undefined, who)).toBe('taken');
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
