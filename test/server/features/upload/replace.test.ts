import { afterAll, describe, expect, it } from 'vitest';
import { listPublicAlbumImages } from '#api/albums/albums.ts';
import { changePreferences, getLimits } from '#api/auth/user.ts';
import { IDEMPOTENCY_HEADER, VERSION_LENGTH } from '#api/constants.ts';
import { updateImage } from '#api/images/changes.ts';
import { getImage, listImages, trashImage } from '#api/images/images.ts';
import { listTrash, purgeTrash, restoreTrash } from '#api/images/trash.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { listVersions, restoreVersion } from '#api/images/versions.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { countedStorage } from '#test/helpers/service/data/library.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';
import { dataOf, startSharing } from '#test/helpers/service/sharing.ts';

const sharing = await startSharing();
afterAll(() => sharing[Symbol.asyncDispose]());
const { service, bea, cleo, admin, url } = sharing;

let seed = 9000;
const newJpeg = () => photoJpeg({ seed: seed++, width: 64, height: 48 });

/** Replaces a file and returns the status and the data of the response. */
async function replace(key: string, bytes: Uint8Array, who: Pick<SignedIn, 'fetch'> = bea, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'new.bin');
  const response = await who.fetch(`/api/v1/images/${key}/file`, { method: 'PUT', body: form, headers });
  return { status: response.status, data: (await dataOf(response)) as unknown as Uploaded & { code?: string } };
}

const get = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(address, { headers });
  return { status: response.status, headers: response.headers, bytes: await contentOf(response) };
};
const trashed = async () => (await bea.client.call(listTrash, { query: {} })).items;
const versionsOf = async (key: string) => (await trashed()).filter(({ version_of }) => version_of === key);
const restoreFrom = (keys: string[], include_versions = true) => bea.client.call(restoreTrash, { body: { keys, include_versions } });
const change = (key: string, body: object) => bea.client.call(updateImage, { params: { key }, body });

describe('a replaced file', () => {
  it('keeps artist and copyright if its owner asked for that', async () => {
    const { key, links } = await sharing.upload();
    const prefer = (keep_copyright: boolean) => bea.client.call(changePreferences, { body: { keep_copyright } });
    const artistAfter = async () => {
      const photo = await photoJpeg({ seed: seed++, width: 64, height: 48, gps: true });
      expect((await replace(key, photo)).status).toBe(200);
      const { bytes } = await get(links.url);
      expect(bytes.includes('SerialNumber-4711')).toBe(false);
      return bytes.includes('Olivia Owner');
    };
    expect(await artistAfter()).toBe(false);
    await prefer(true);
    expect(await artistAfter()).toBe(true);
    await prefer(false);
  });

  it('has new bytes behind the same links at once, for every kind of cache', async () => {
    const image = await sharing.upload();
    const [before, small] = [await get(image.links.url), await get(`${url}/t/${image.key}.jpg?w=120`)];
    const share = await get(`${url}/api/v1/s/${image.key}`);
    expect(before.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const next = await newJpeg();
    const { status, data } = await replace(image.key, next);
    expect({ status, data }).toMatchObject({
      status: 200,
      data: { key: image.key, links: image.links, reused: false, width: 64, height: 48 },
    });
    expect(data.created_at).toBe(image.created_at);
    const after = await get(image.links.url);
    expect(after.bytes).not.toEqual(before.bytes);
    expect(after.headers.get('etag')).toBe(`"${data.sha256}"`);
    const validators = { 'if-none-match': String(before.headers.get('etag')) };
    expect(await get(image.links.url, validators)).toMatchObject({ status: 200, bytes: after.bytes });
    expect((await get(image.links.url, { 'if-none-match': `"${data.sha256}"` })).status).toBe(304);
    // A cache that compares dates, within the same second.
    const dated = { 'if-modified-since': String(before.headers.get('last-modified')) };
    expect(await get(image.links.url, dated)).toMatchObject({ status: 200, bytes: after.bytes });
    const ranged = { range: 'bytes=0-9', 'if-range': String(before.headers.get('etag')) };
    expect((await get(image.links.url, ranged)).status).toBe(200);
    const thumbnail = await get(`${url}/t/${image.key}.jpg?w=120`, { 'if-none-match': String(small.headers.get('etag')) });
    expect(thumbnail.status).toBe(200);
    expect(thumbnail.bytes).not.toEqual(small.bytes);
    expect((await get(`${url}/api/v1/s/${image.key}`)).bytes).not.toEqual(share.bytes);
  });

  it('lets only addresses that name its version be cached, and not past another replacement', async () => {
    const image = await sharing.upload();
    const named = (sha256: string) => `${image.links.url}?v=${sha256.slice(0, VERSION_LENGTH)}`;
    expect((await get(named(image.sha256))).headers.get('cache-control')).toBe('public, max-age=300');
    const { data } = await replace(image.key, await newJpeg());
    expect((await get(named(image.sha256))).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect((await get(named(data.sha256))).headers.get('cache-control')).toBe('public, max-age=300');
    const thumbnail = `${image.links.thumbnail_url}?w=200&v=${data.sha256.slice(0, VERSION_LENGTH)}`;
    expect((await get(thumbnail)).headers.get('cache-control')).toBe('public, max-age=300');
    await change(image.key, { visibility: 'private' });
    const mine = await bea.fetch(`/i/${image.key}.jpg?v=${data.sha256.slice(0, VERSION_LENGTH)}`);
    expect(mine.headers.get('cache-control')).toBe('private, no-store');
  });

  it('keeps the old links when the format changes, back and forth', async () => {
    const image = await sharing.upload();
    const drawing = await png({ seed: seed++ });
    const { data } = await replace(image.key, drawing);
    expect(data).toMatchObject({ ext: 'png', mime: 'image/png' });
    const [old, current] = [await get(image.links.url), await get(data.links.url)];
    expect(old.headers.get('content-type')).toBe('image/png');
    expect(old.bytes).toEqual(current.bytes);
    expect((await get(`${url}/i/${image.key}.gif`)).status).toBe(404);
    await replace(image.key, await newJpeg());
    expect((await get(data.links.url)).headers.get('content-type')).toBe('image/jpeg');
    expect((await get(image.links.url)).bytes).toEqual((await get(data.links.url)).bytes);
  });

  it('keeps name, rules, albums, tags, favourite and views', async () => {
    const album = await dataOf(await bea.fetch('/api/v1/albums', json({ name: 'Sea', visibility: 'public' })));
    const { key } = await sharing.upload({ album_id: String(album.id), title: 'Harbour' }, 'sea.jpg');
    await get(`${url}/i/${key}.jpg`);
    await change(key, { tags: ['sea'], favourite: true, expires_in: 3600, max_views: 3, access_password: 'sesame' });
    await get(`${url}/i/${key}.jpg`, { 'x-image-password': 'sesame' });
    // The first view is stored within seconds.
    await expect.poll(async () => (await bea.client.call(getImage, { params: { key } })).views).toBe(2);
    const before = await bea.client.call(getImage, { params: { key } });
    expect(before.views_left).toBe(2);
    await replace(key, await newJpeg());
    const after = await bea.client.call(getImage, { params: { key } });
    const { sha256: _s, size: _z, width: _w, height: _h, thumbhash: _t, replaced_at: _r, ...kept } = before;
    expect(after).toMatchObject(kept);
    expect((await get(`${url}/i/${key}.jpg`)).status).toBe(401);
    await change(key, { access_password: null, max_views: null, expires_in: 0 });
    const { items } = await cleo.client.call(listPublicAlbumImages, { params: { id: String(album.id) } as never, query: {} });
    expect(items.map((item) => item.key)).toEqual([key]);
  });

  it('is stored once when the same file comes again, even in the form that is served', async () => {
    const image = await sharing.upload();
    const bytes = await newJpeg();
    await replace(image.key, bytes);
    expect((await replace(image.key, bytes)).data).toMatchObject({ reused: true, key: image.key });
    expect((await replace(image.key, (await get(image.links.url)).bytes)).data.reused).toBe(true);
    expect(await versionsOf(image.key)).toHaveLength(1);
  });

  it('repeats with the same Idempotency-Key once, and refuses the key for anything else', async () => {
    const [image, other] = [await sharing.upload(), await sharing.upload()];
    const [first, second] = [await newJpeg(), await newJpeg()];
    const key = { [IDEMPOTENCY_HEADER]: 'replace-1' };
    expect((await replace(image.key, first, bea, key)).data.reused).toBe(false);
    expect((await replace(image.key, first, bea, key)).data).toMatchObject({ reused: true, key: image.key });
    await replace(image.key, second);
    // A late retry must neither put the first file back nor report the second as the first.
    expect(await replace(image.key, first, bea, key)).toMatchObject({ status: 409, data: { code: 'replaced' } });
    expect(await versionsOf(image.key)).toHaveLength(2);
    for (const [target, bytes] of [
      [image.key, await newJpeg()],
      [other.key, first],
    ] as const)
      expect(await replace(target, bytes, bea, key)).toMatchObject({ status: 409, data: { code: 'idempotency_conflict' } });
  });
});

describe('the earlier version', () => {
  it('is in its owner’s trash alone, and goes back behind the links of its picture, whose file becomes the version', async () => {
    const image = await sharing.upload({ title: 'Plan', access_password: 'sesame' });
    const original = await contentOf(bea.fetch(`/i/${image.key}.jpg`));
    const { data } = await replace(image.key, await newJpeg());
    const [version, ...rest] = await versionsOf(image.key);
    if (!version) throw new Error('no version in the trash');
    expect(rest).toEqual([]);
    expect(version).toMatchObject({
      name: 'photo.jpg',
      title: 'Plan',
      sha256: image.sha256,
      album_id: null,
      version_of: image.key,
      reason: 'replaced',
    });
    const addresses = [
      `/i/${version.key}.jpg`,
      `/t/${version.key}.jpg`,
      `/api/v1/s/${version.key}`,
      `/api/v1/trash/${version.key}/thumbnail`,
    ];
    for (const who of [cleo, admin]) for (const path of addresses) expect((await who.fetch(path)).status, path).toBe(404);
    for (const path of addresses.slice(0, 3)) expect((await fetch(url + path)).status, path).toBe(404);
    expect((await bea.fetch(`/api/v1/trash/${version.key}/thumbnail`)).status).toBe(200);
    expect(await restoreFrom([version.key])).toMatchObject({ processed: 1, failed: 0 });
    expect(await contentOf(bea.fetch(`/i/${image.key}.jpg`))).toEqual(original);
    expect((await bea.client.call(getImage, { params: { key: image.key } })).has_password).toBe(true);
    for (const path of addresses.slice(0, 3)) expect((await fetch(url + path)).status, path).toBe(404);
    expect(await versionsOf(image.key)).toMatchObject([{ key: version.key, sha256: data.sha256, reason: 'replaced' }]);
    const { items } = await bea.client.call(listImages, { query: { q: 'Plan' } });
    expect(items.map(({ key }) => key)).toEqual([image.key]);
  });

  it('stays in the trash when several pictures are restored, unless it is asked for; then the latest of each counts', async () => {
    const [image, gone] = [await sharing.upload(), await sharing.upload()];
    const { data: second } = await replace(image.key, await newJpeg());
    await replace(image.key, await newJpeg());
    await bea.client.call(trashImage, { params: { key: gone.key } });
    const keys = (await versionsOf(image.key)).map(({ key }) => key);
    const sha256 = async () => (await bea.client.call(getImage, { params: { key: image.key } })).sha256;
    const third = await sha256();
    expect(await restoreFrom([...keys, gone.key], false)).toMatchObject({ processed: 1, failed: 2, versions_left_out: 2 });
    const body = { query: { date: 'deleted' as const, from: image.created_at } };
    expect(await bea.client.call(restoreTrash, { body })).toEqual({ results: [], processed: 0, failed: 2, versions_left_out: 2 });
    expect(await sha256()).toBe(third);
    expect((await restoreFrom(keys)).results).toEqual([
      { key: keys[0], ok: true },
      { key: keys[1], ok: false, code: 'previous_version' },
    ]);
    expect(await sha256()).toBe(second.sha256);
  });

  it('takes its picture out of the trash, too', async () => {
    const image = await sharing.upload();
    await replace(image.key, await newJpeg());
    const [version] = await versionsOf(image.key);
    await bea.client.call(trashImage, { params: { key: image.key } });
    expect(await restoreFrom([String(version?.key)])).toMatchObject({ processed: 1, failed: 0 });
    expect((await get(image.links.url)).headers.get('etag')).toBe(`"${image.sha256}"`);
    expect((await trashed()).map(({ key }) => key)).not.toContain(image.key);
    expect(await versionsOf(image.key)).toHaveLength(1);
  });

  it('becomes a private picture of its own once its picture no longer exists, and lifts no cap of the group', async () => {
    const image = await sharing.upload({ expires_in: '3600', max_views: '2' });
    await replace(image.key, await newJpeg());
    const [version] = await versionsOf(image.key);
    if (!version) throw new Error('no version in the trash');
    await bea.client.call(trashImage, { params: { key: image.key } });
    await bea.client.call(purgeTrash, { body: { keys: [image.key] } });
    await restoreFrom([version.key], false);
    const address = `${url}/i/${version.key}.jpg`;
    expect((await get(address)).status).toBe(404);
    const restored = await change(version.key, { visibility: 'public' });
    expect(restored).toMatchObject({ version_of: null, expires_at: image.expires_at, max_views: 2, views_left: 2 });
    expect([(await get(address)).status, (await get(address)).status, (await get(address)).status]).toEqual([200, 200, 410]);
    await sharing.alter(version.key, { expires_at: Date.now() - 1000 });
    expect((await get(address)).status).toBe(410);
  });

  it('counts towards the quota until it is purged, and its bytes stay as long as it does', async () => {
    const limits = () => bea.client.call(getLimits, {});
    const image = await sharing.upload();
    const before = await limits();
    const { data } = await replace(image.key, await newJpeg());
    expect(await limits()).toMatchObject({
      storage_used_bytes: before.storage_used_bytes + data.size,
      image_count: before.image_count,
    });
    const [version] = await versionsOf(image.key);
    await bea.fetch('/api/v1/trash/purge', json({ keys: [version?.key] }));
    expect((await limits()).storage_used_bytes).toBe(before.storage_used_bytes - image.size + data.size);
    const { booked, real } = await withDatabase(service, (db) => countedStorage(db, bea.id));
    expect(booked).toEqual(real);
  });
});

describe('a replacement is refused', () => {
  it.each([
    ['another user', () => cleo, 404, 'not_found'],
    ['an admin', () => admin, 404, 'not_found'],
    ['a client without an account', () => ({ fetch: (path: string, init?: RequestInit) => fetch(url + path, init) }), 401, 'unauthorized'],
  ])('for %s', async (_, who, status, code) => {
    const image = await sharing.upload();
    expect(await replace(image.key, await newJpeg(), who())).toMatchObject({ status, data: { code } });
    expect((await get(image.links.url)).headers.get('etag')).toBe(`"${image.sha256}"`);
  });

  it('for a token that may only upload', async () => {
    const { key } = await sharing.upload();
    const authorization = `Bearer ${await bea.token('upload')}`;
    const stranger = { fetch: (path: string, init?: RequestInit) => fetch(url + path, init) };
    expect(await replace(key, await newJpeg(), stranger, { authorization })).toMatchObject({ status: 403, data: { code: 'forbidden' } });
    const full = `Bearer ${await bea.token('full')}`;
    expect((await replace(key, await newJpeg(), stranger, { authorization: full })).status).toBe(200);
  });

  it('from another site', async () => {
    const { key } = await sharing.upload();
    const foreign = { origin: 'https://evil.example' };
    expect(await replace(key, await newJpeg(), bea, foreign)).toMatchObject({ status: 403, data: { code: 'cross_site' } });
    expect(await versionsOf(key)).toEqual([]);
  });

  it('for what isn’t a whole picture', async () => {
    const { key } = await sharing.upload();
    expect(await replace(key, Buffer.from('text'))).toMatchObject({ status: 415, data: { code: 'ext_not_allowed' } });
    expect(await replace(key, Buffer.alloc(0))).toMatchObject({ status: 400, data: { code: 'damaged_image' } });
    const cut = (await newJpeg()).subarray(0, 400);
    expect(await replace(key, cut)).toMatchObject({ status: 400, data: { code: 'damaged_image' } });
    expect(await versionsOf(key)).toEqual([]);
  });

  it('without a file', async () => {
    const { key } = await sharing.upload();
    const response = await bea.fetch(`/api/v1/images/${key}/file`, { method: 'PUT', body: new FormData() });
    expect(response.status).toBe(400);
    expect(await versionsOf(key)).toEqual([]);
  });

  it('for pictures in the trash and expired ones', async () => {
    const [gone, expired] = [await sharing.upload(), await sharing.upload({ expires_in: '3600' })];
    await bea.fetch(`/api/v1/images/${gone.key}`, { method: 'DELETE' });
    expect(await replace(gone.key, await newJpeg())).toMatchObject({ status: 404, data: { code: 'not_found' } });
    await sharing.alter(expired.key, { expires_at: Date.now() - 1000 });
    expect((await replace(expired.key, await newJpeg())).status).toBeGreaterThanOrEqual(404);
    expect(await replace('a'.repeat(12), await newJpeg())).toMatchObject({ status: 404, data: { code: 'not_found' } });
  });

  it.each([
    ['the quota', { storage_quota_bytes: 10 }, 'quota_exceeded'],
    ['the limit of its group', { max_file_bytes: 100 }, 'file_too_large'],
  ])('over %s, and leaves everything as it was', async (_what, limit, code) => {
    const image = await sharing.upload();
    const set = (columns: object) =>
      withDatabase(service, (db) =>
        db.as('job').write((queries) => queries.updateTable('groups').set(columns).where('kind', '=', 'default').executeTakeFirstOrThrow()),
      );
    const { storage_quota_bytes, max_file_bytes } = await bea.client.call(getLimits, {});
    await set(limit);
    expect(await replace(image.key, await newJpeg())).toMatchObject({ status: 413, data: { code } });
    await set({ storage_quota_bytes, max_file_bytes });
    expect((await get(image.links.url)).headers.get('etag')).toBe(`"${image.sha256}"`);
    expect(await versionsOf(image.key)).toEqual([]);
    const { booked, real } = await withDatabase(service, (db) => countedStorage(db, bea.id));
    expect(booked).toEqual(real);
  });
});

it('is complete or absent when many replacements run at once', async () => {
  const image = await sharing.upload();
  const files = await Promise.all(Array.from({ length: 6 }, newJpeg));
  const results = await Promise.all(files.map((bytes) => replace(image.key, bytes)));
  expect(results.map(({ status }) => status)).toEqual(files.map(() => 200));
  const versions = await versionsOf(image.key);
  const last = (await bea.client.call(getImage, { params: { key: image.key } })).sha256;
  const hashes = [image.sha256, ...results.map(({ data }) => data.sha256)];
  expect(new Set([...versions.map(({ sha256 }) => sha256), last])).toEqual(new Set(hashes));
  const served = await get(image.links.url);
  expect(served.headers.get('etag')).toBe(`"${last}"`);
});

function json(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

describe('the versions of a picture', () => {
  const versions = async (key: string) => (await bea.client.call(listVersions, { params: { key } })).items;
  const usage = async () => (await bea.client.call(getLimits, {})).storage_used_bytes;

  it('are listed, latest first, and exchanged with the current file, whose links stay and which becomes a version', async () => {
    const image = await sharing.upload({ tags: 'sea' });
    const first = await get(image.links.url);
    await replace(image.key, await newJpeg());
    await replace(image.key, await png({ seed: seed++, width: 40, height: 30 }));
    const third = await get(image.links.url);
    const [second, oldest] = await versions(image.key);
    expect([second?.ext, oldest?.sha256, (await versions(image.key)).length]).toEqual(['jpg', image.sha256, 2]);
    const used = await usage();
    const restored = await bea.client.call(restoreVersion, { params: { key: image.key, version: String(oldest?.key) } });
    expect(restored).toMatchObject({ key: image.key, sha256: image.sha256, ext: 'jpg', tags: ['sea'], links: { url: image.links.url } });
    expect((await get(image.links.url)).bytes).toEqual(first.bytes);
    expect((await get(image.links.url.replace(/jpg$/, 'png'))).bytes).toEqual(first.bytes);
    expect(await usage()).toBe(used);
    // What was replaced now can be had back in the same way.
    const [latest] = await versions(image.key);
    expect(latest).toMatchObject({ ext: 'png', reason: 'replaced', visibility: 'private', version_of: image.key });
    await bea.client.call(restoreVersion, { params: { key: image.key, version: String(latest?.key) } });
    expect((await get(image.links.url)).bytes).toEqual(third.bytes);
  });

  it('are their owner’s alone, and those of no other picture', async () => {
    const [image, other] = [await sharing.upload(), await sharing.upload()];
    await replace(image.key, await newJpeg());
    const [version] = await versions(image.key);
    const attempt = (who: SignedIn | undefined, key: string) => {
      const path = `/api/v1/images/${key}/versions`;
      const request = who ? who.fetch : (at: string, init?: RequestInit) => fetch(url + at, init);
      return Promise.all([request(path), request(`${path}/${version?.key}/restore`, { method: 'POST' })]);
    };
    for (const [who, status] of [
      [sharing.cleo, 404],
      [sharing.admin, 404],
      [undefined, 401],
    ] as const)
      expect((await attempt(who, image.key)).map((response) => response.status)).toEqual([status, status]);
    expect((await attempt(bea, other.key)).map((response) => response.status)).toEqual([200, 404]);
    expect(await versions(other.key)).toEqual([]);
    await bea.client.call(purgeTrash, { body: { keys: [String(version?.key)] } });
    expect(await versions(image.key)).toEqual([]);
    expect((await attempt(bea, image.key)).map((response) => response.status)).toEqual([200, 404]);
  });
});
