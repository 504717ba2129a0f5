import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { getImage, trashImage } from '#api/images/images.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { askForPictures, trySending } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bea = await addUser(service, 'bea');
const [full, uploadOnly, theirs] = [await owner.token('full'), await owner.token('upload'), await bea.token('full')];

let seed = 0;
const png = () => tinyPng(++seed);
let count = 0;
const newSlug = () => `holiday-${++count}`;
const send = (fields: Record<string, string>, { token, bytes = png(), key }: { token?: string; bytes?: Buffer; key?: string } = {}) =>
  uploadImage(service, token ?? full, bytes, fields, 'photo.png', key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key });
const asGuest = (fields: Record<string, string>) => uploadImage(service, undefined, png(), fields, 'photo.png');
const settings = (changes: object) => owner.client.call(changeAdminSettings, { body: changes });

/** Everything that an upload could leave behind. */
const belongings = async () => ({
  ...(await withDatabase(service, async ({ read }) => ({
    images: (await read.selectFrom('images').select('id').execute()).length,
    blobs: (await read.selectFrom('blobs').select('sha256').where('unused_since', 'is', null).execute()).length,
    used: await read.selectFrom('users').select(['id', 'storage_used_bytes', 'image_count']).orderBy('id').execute(),
  }))),
  files: (await readdir(join(service.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length,
  staged: await readdir(join(service.dataDir, 'tmp')),
});

describe('a custom address at upload', () => {
  it('is in the links, in lower case', async () => {
    const slug = newSlug();
    const { key, links } = await send({ slug: ` ${slug.toUpperCase()} ` });
    expect(links.url).toBe(`${service.linkAddress}/i/${slug}.png`);
    expect(await owner.client.call(getImage, { params: { key } })).toMatchObject({ slug });
    expect((await fetch(`${service.url}/i/${slug}.png`)).status).toBe(200);
  });

  it('that is taken, also by another user or in the trash, is refused, and nothing is left behind', async () => {
    const slug = newSlug();
    const { key } = await send({ slug });
    const before = await belongings();
    for (const token of [full, uploadOnly, theirs])
      await expect(send({ slug }, { token })).rejects.toMatchObject({ status: 409, code: 'slug_taken', details: { field: 'slug' } });
    await owner.client.call(trashImage, { params: { key } });
    await expect(send({ slug }, { token: theirs })).rejects.toMatchObject({ code: 'slug_taken' });
    expect(await belongings()).toMatchObject({ images: before.images, blobs: before.blobs, files: before.files, staged: [] });
  });

  it.each(['a', '-ab', 'with space', 'abcdefghij12', 'admin', 'ä'.repeat(5)])('can’t be “%s”, whatever would replace it', async (slug) => {
    for (const slug_or of ['', 'number', 'random'])
      await expect(send({ slug, slug_or })).rejects.toMatchObject({ status: 400, code: 'invalid_request', details: { field: 'slug' } });
  });

  it('gets the first free number, from 2 to 99, then random characters', async () => {
    const slug = newSlug();
    const numbered = async () => (await send({ slug, slug_or: 'number' })).slug;
    expect([await numbered(), await numbered(), await numbered()]).toEqual([slug, `${slug}-2`, `${slug}-3`]);
    await withDatabase(service, async (db) => {
      const { id: _, ...row } = await db.read.selectFrom('images').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();
      const rows = Array.from({ length: 95 }, (_, index) => ({ ...row, key: randomKey(12), slug: `${slug}-${index + 5}` }));
      await db.as('job').write((queries) => queries.insertInto('images').values(rows).execute());
    });
    expect(await numbered()).toBe(`${slug}-4`);
    expect(await numbered()).toMatch(new RegExp(`^${slug}-[0-9a-z]{8}$`));
  });

  it('gets random characters, and is cut off where it would become too long', async () => {
    const slug = 'x'.repeat(63);
    expect(await send({ slug, slug_or: 'random' })).toMatchObject({ slug });
    expect((await send({ slug, slug_or: 'random' })).slug).toMatch(/^x{54}-[0-9a-z]{8}$/);
    expect((await send({ slug, slug_or: 'number' })).slug).toBe(`${'x'.repeat(61)}-2`);
  });

  it('without an address to choose, the other field does nothing', async () => {
    expect(await send({ slug: '', slug_or: 'number' })).toMatchObject({ slug: null });
    await expect(send({ slug: newSlug(), slug_or: 'other' })).rejects.toMatchObject({ status: 400, details: { field: 'slug_or' } });
  });

  it('makes the same picture another one, except under the address that it has', async () => {
    const [bytes, slug] = [png(), newSlug()];
    const plain = await send({}, { bytes });
    const named = await send({ slug }, { bytes });
    expect(named).toMatchObject({ reused: false, slug });
    expect(named.key).not.toBe(plain.key);
    expect(await send({ slug }, { bytes })).toMatchObject({ reused: true, key: named.key, slug });
    expect(await send({ slug: newSlug() }, { bytes })).toMatchObject({ reused: false });
    expect(await send({}, { bytes })).toMatchObject({ reused: true });
  });

  it('is for upload tokens, too, whose response contains no other address', async () => {
    const [bytes, slug] = [png(), newSlug()];
    const first = await send({ slug }, { bytes });
    const repeat = await send({ slug }, { bytes, token: uploadOnly });
    expect(repeat).toEqual({ key: first.key, reused: true, links: expect.objectContaining({ url: first.links.url }) });
    const without = await send({}, { bytes, token: uploadOnly });
    expect(without).toMatchObject({ key: first.key, reused: true });
    expect(JSON.stringify(without)).not.toContain(slug);
    expect(await send({ slug: newSlug() }, { bytes, token: uploadOnly })).toMatchObject({ reused: false });
  });

  it('isn’t for guests and senders', async () => {
    const slug = newSlug();
    await settings({ guest_upload_enabled: true });
    await expect(asGuest({ slug })).rejects.toMatchObject({ status: 400, code: 'invalid_request', details: { field: 'slug' } });
    await expect(asGuest({ albums: 'AAAAAAAAAAAA' })).rejects.toMatchObject({ status: 400, details: { field: 'albums' } });
    expect(await asGuest({ slug: '' })).toMatchObject({ reused: false });
    const link = await askForPictures(owner);
    for (const fields of [{ slug }, { albums: link.album_id }] as Record<string, string>[])
      expect(await trySending(service.url, link.id, png(), { fields })).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
    expect((await fetch(`${service.url}/i/${slug}.png`)).status).toBe(404);
  });

  it('can be turned off by an admin', async () => {
    await settings({ custom_addresses_enabled: false });
    await expect(send({ slug: newSlug(), slug_or: 'random' })).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    expect(await send({ slug: '' })).toMatchObject({ slug: null });
    await settings({ custom_addresses_enabled: true });
  });

  it('is part of what an idempotency key stands for', async () => {
    const [bytes, slug] = [png(), newSlug()];
    const sent = (fields: Record<string, string>) => send(fields, { bytes, key: 'with an address' });
    const first = await sent({ slug, slug_or: 'number' });
    expect(await sent({ slug, slug_or: 'number' })).toMatchObject({ key: first.key, slug, reused: true });
    for (const other of [{ slug }, { slug: newSlug(), slug_or: 'number' }, { slug, slug_or: 'random' }, {}] as Record<string, string>[])
      await expect(sent(other)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('works for pictures by URL', async () => {
    await using web = await startWebServer((_request, response) => void response.end(png()));
    await settings({ fetch_allowed_hosts: [new URL(web.url).hostname] });
    const [slug, url] = [newSlug(), `${web.url}/photo.png`];
    const fetched = (body: object) => owner.client.call(uploadUrl, { query: {}, headers: {}, body: { url, ...body } });
    expect(await fetched({ slug })).toMatchObject({ slug });
    await expect(fetched({ slug })).rejects.toMatchObject({ code: 'slug_taken' });
    expect(await fetched({ slug, slug_or: 'number' })).toMatchObject({ slug: `${slug}-2` });
  });
});

describe('twenty uploads of one address at once', () => {
  const AT_ONCE = 20;
  const race = (fields: Record<string, string>, bytes = Array.from({ length: AT_ONCE }, png)) =>
    Promise.allSettled(bytes.map((one, index) => send(fields, { bytes: one, token: index % 2 ? full : theirs })));

  it('have one winner, and the others leave nothing behind', async () => {
    const slug = newSlug();
    const before = await belongings();
    const outcomes = await race({ slug });
    const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const lost = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(won).toMatchObject([{ slug }]);
    expect(lost).toEqual(Array(AT_ONCE - 1).fill('slug_taken'));
    const after = await belongings();
    // With PostgreSQL, files are in a bucket, where sweeps remove those of the losers.
    expect(after).toMatchObject({
      images: before.images + 1,
      blobs: before.blobs + 1,
      files: before.files + (service.config.databaseUrl ? 0 : 1),
      staged: before.staged,
    });
    const sum = (users: typeof after.used) => users.reduce((total, user) => total + Number(user.storage_used_bytes), 0);
    expect(sum(after.used) - sum(before.used)).toBe(won[0]?.size);
  });

  it('each get a number of their own', async () => {
    const slug = newSlug();
    const outcomes = await race({ slug, slug_or: 'number' });
    const slugs = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.slug : one.reason));
    expect(new Set(slugs)).toEqual(new Set([slug, ...Array.from({ length: AT_ONCE - 1 }, (_, index) => `${slug}-${index + 2}`)]));
  });

  it('of the same picture by the same user are one picture', async () => {
    const [slug, bytes] = [newSlug(), png()];
    const uploads = await Promise.all(Array.from({ length: AT_ONCE }, () => send({ slug }, { bytes })));
    expect(new Set(uploads.map(({ key }) => key)).size).toBe(1);
    expect(uploads.filter(({ reused }) => !reused)).toHaveLength(1);
  });
});
