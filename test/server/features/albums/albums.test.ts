import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { albumHidden, album as albumSchema, createAlbum, getAlbum } from '#api/albums/albums.ts';
import { createImageIndex } from '#server/core/images/image-index.ts';
import { deleteAlbum } from '#server/features/albums/delete-album.ts';
import { hiddenQuery } from '#server/features/albums/hidden-images.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

/** Calls the album routes as a given user. */
const as = (headers: Record<string, string>) => (method: string, path: string, body?: unknown) =>
  body === undefined
    ? fetch(`${sharing.url}/api/v1/albums${path}`, { method, headers })
    : sendJson(`${sharing.url}/api/v1/albums${path}`, method, body, headers);
const asUser = ({ cookie }: SignedIn) => as({ cookie });
const bea = (method: string, path: string, body?: unknown) => asUser(sharing.bea)(method, path, body);
const create = async (body: object) => (await dataOf(await bea('POST', '', { name: 'An album', ...body }))) as { id: string };
const idsOf = async (response: Response) => ((await dataOf(response)).items as { id: string }[]).map(({ id }) => id);

describe('an album', () => {
  it('starts empty and private, with the given properties', async () => {
    const response = await bea('POST', '', { name: '  Sommer 夏 ', description: 'by the sea' });
    const data = await dataOf(response);
    albumSchema.strict().parse(data);
    expect([response.status, data]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9A-Za-z]{10}$/),
        name: 'Sommer 夏',
        description: 'by the sea',
        visibility: 'private',
        has_password: false,
        owner: { id: sharing.bea.id, username: 'bea', avatar_url: null },
        role: 'owner',
        member_count: 0,
        shared_through: null,
        for_team: false,
        image_count: 0,
        sorted: false,
        cover_key: null,
        allow_download: true,
        expires_at: null,
        cover_url: null,
        share_url: `${sharing.url}/a/${data.id}`,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect(await dataOf(await bea('GET', `/${data.id}`))).toEqual(data);
  });

  it('changes only the given properties, and never shows its password', async () => {
    const { id } = await create({ description: 'stays', visibility: 'public', access_password: 'sesame' });
    const renamed = await bea('PATCH', `/${id}`, { name: 'New name' });
    const text = await renamed.text();
    expect(JSON.parse(text).data).toMatchObject({ name: 'New name', description: 'stays', visibility: 'public', has_password: true });
    expect(text).not.toMatch(/argon2|sesame|password_hash/);
    expect(await dataOf(await bea('PATCH', `/${id}`, { access_password: null, visibility: 'private' }))).toMatchObject({
      has_password: false,
      visibility: 'private',
      name: 'New name',
    });
  });

  it.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: 5 },
    { name: 'x'.repeat(201) },
    { name: 'x', visibility: 'hidden' },
    { name: 'x', access_password: '' },
    { name: 'x', access_password: 7 },
    { name: 'x', description: null },
  ])('is not created from %j', async (body) => {
    const response = await bea('POST', '', body);
    expect([response.status, (await dataOf(response)).code]).toEqual([400, 'invalid_request']);
  });

  it('uses its newest picture as cover until one is chosen, and again when that is gone', async () => {
    const { id } = await create({});
    const first = await sharing.upload({ album_id: id });
    const second = await sharing.upload({ album_id: id });
    const covered = (key: string) => `${sharing.url}/t/${key}.jpg`;
    expect(await dataOf(await bea('GET', `/${id}`))).toMatchObject({ image_count: 2, cover_key: null, cover_url: covered(second.key) });
    expect(await dataOf(await bea('PATCH', `/${id}`, { cover_key: first.key }))).toMatchObject({
      cover_key: first.key,
      cover_url: covered(first.key),
    });
    await sharing.bea.fetch(`/api/v1/images/${first.key}`, { method: 'DELETE' });
    expect(await dataOf(await bea('GET', `/${id}`))).toMatchObject({ image_count: 1, cover_url: covered(second.key) });
    expect(await dataOf(await bea('PATCH', `/${id}`, { cover_key: null }))).toMatchObject({ cover_key: null });
  });

  it('refuses a cover that is not among its pictures', async () => {
    const { id } = await create({});
    const elsewhere = await sharing.upload();
    for (const cover_key of [elsewhere.key, 'AAAAAAAAAAAA']) {
      const response = await bea('PATCH', `/${id}`, { cover_key });
      expect([response.status, await dataOf(response)]).toEqual([
        400,
        { code: 'invalid_request', retry: 'never', field: 'cover_key', problem: 'not_available' },
      ]);
    }
    const malformed = await bea('PATCH', `/${id}`, { cover_key: 'nonsense' });
    expect([malformed.status, await dataOf(malformed)]).toEqual([400, { code: 'invalid_request', retry: 'never', field: 'cover_key' }]);
  });

  it('keeps its pictures when it is deleted, or moves them to the trash on request', async () => {
    const [kept, taken] = [await create({}), await create({})];
    const stays = await sharing.upload({ album_id: kept.id });
    const trashed = await sharing.upload({ album_id: taken.id });
    expect((await fetch(trashed.links.url)).status).toBe(200);
    expect((await bea('DELETE', `/${kept.id}`)).status).toBe(200);
    expect((await bea('DELETE', `/${taken.id}?images=trash`)).status).toBe(200);
    expect((await bea('GET', `/${kept.id}`)).status).toBe(404);
    expect(await dataOf(await sharing.bea.fetch(`/api/v1/images/${stays.key}`))).toMatchObject({ album_id: null });
    expect((await fetch(stays.links.url)).status).toBe(200);
    expect((await fetch(trashed.links.url)).status).toBe(404);
    const trash = (await dataOf(await sharing.bea.fetch('/api/v1/trash'))).items as { key: string }[];
    expect(trash.map(({ key }) => key)).toContain(trashed.key);
    expect((await bea('DELETE', `/${kept.id}?images=burn`)).status).toBe(400);
  });
});

it('shows no picture that it moved to the trash before its deletion failed', async () => {
  const { id } = await create({});
  await withDatabase(sharing.service, async (opened) => {
    const db = opened.as('job');
    const [key] = (await addImageRows(db, sharing.bea.id, 1, () => ({ album_id: id }))) as [string];
    const imageIndex = createImageIndex(db);
    expect(await imageIndex.find(key)).toMatchObject({ deleted_at: null });
    let writes = 0;
    const write: typeof db.write = (work) => (writes++ > 0 ? Promise.reject(new Error('the disk is full')) : db.write(work));
    const deletion = deleteAlbum({ ...db, write }, sharing.bea.id, id, 'trash');
    await expect(deletion).rejects.toThrow('the disk is full');
    expect(await imageIndex.find(key)).toMatchObject({ deleted_at: expect.any(Number) });
  });
});

it('is deleted with a thousand pictures, all moved to the trash', async () => {
  const { id } = await create({});
  const count = async () =>
    withDatabase(sharing.service, async ({ read }) => ({
      in_album: (await read.selectFrom('album_images').select('image_id').where('album_id', '=', id).execute()).length,
      in_trash: (await read.selectFrom('images').select('id').where('name', 'like', 'row %').where('deleted_at', 'is not', null).execute())
        .length,
    }));
  await withDatabase(sharing.service, (db) =>
    addImageRows(db, sharing.bea.id, 1_001, (index) => ({ name: `row ${index}`, album_id: id, deleted_at: index ? null : Date.now() })),
  );
  expect(await count()).toEqual({ in_album: 1_001, in_trash: 1 });
  expect((await bea('DELETE', `/${id}?images=trash`)).status).toBe(200);
  expect(await count()).toEqual({ in_album: 0, in_trash: 1_001 });
});

describe('the list of albums', () => {
  it('has the newest first, in pages, and in its owner’s order', async () => {
    await using own = await startSharing();
    const call = (method: string, path: string, body?: unknown) =>
      body === undefined
        ? own.bea.fetch(`/api/v1/albums${path}`, { method })
        : sendJson(`${own.url}/api/v1/albums${path}`, method, body, { cookie: own.bea.cookie });
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift(String((await dataOf(await call('POST', '', { name: `Album ${index}` }))).id));
    const all = async () => {
      const found: string[] = [];
      let cursor: unknown = '';
      while (cursor !== null) {
        const page = await dataOf(await call('GET', `?limit=2${cursor ? `&cursor=${cursor}` : ''}`));
        found.push(...(page.items as { id: string }[]).map(({ id }) => id));
        cursor = page.next_cursor;
      }
      return found;
    };
    expect(await all()).toEqual(ids);
    const [a, b, c, d, e] = ids as [string, string, string, string, string];
    expect((await call('POST', '/order', { ids: [d, b] })).status).toBe(200);
    expect(await all()).toEqual([d, b, a, c, e]);
    const latest = String((await dataOf(await call('POST', '', { name: 'Latest' }))).id);
    expect(await all()).toEqual([latest, d, b, a, c, e]);
    for (const [body, status] of [
      [{ ids: [a, a] }, 400],
      [{ ids: [] }, 400],
      [{ ids: ['short'] }, 400],
      [{ ids: [a, 'AAAAAAAAAA'] }, 404],
    ] as const)
      expect([body, (await call('POST', '/order', body)).status]).toEqual([body, status]);
    expect(await all()).toEqual([latest, d, b, a, c, e]);
  });

  it('refuses cursors that are not its own', async () => {
    const foreign = Buffer.from('[5,5]').toString('base64url');
    for (const cursor of ['nonsense', foreign, Buffer.from('["1 \' or 1=1",0]').toString('base64url')]) {
      const response = await bea('GET', `?cursor=${cursor}`);
      expect([cursor, response.status, (await dataOf(response)).field]).toEqual([cursor, 400, 'cursor']);
    }
  });
});

describe("another's album", () => {
  it('does not exist: it cannot be listed, seen, changed, ordered, deleted or filled', async () => {
    const { id } = await create({ name: 'Only mine', visibility: 'public' });
    for (const stranger of [asUser(sharing.cleo), asUser(sharing.admin)]) {
      expect(await idsOf(await stranger('GET', ''))).not.toContain(id);
      const responses = [
        await stranger('GET', `/${id}`),
        await stranger('GET', `/${id}/hidden`),
        await stranger('PATCH', `/${id}`, { name: 'Taken' }),
        await stranger('DELETE', `/${id}?images=trash`),
        await stranger('POST', '/order', { ids: [id] }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    expect(await dataOf(await bea('GET', `/${id}`))).toMatchObject({ name: 'Only mine' });
  });

  it('does not provide a cover', async () => {
    const { id } = await create({});
    const { key } = await sharing.upload({ album_id: id });
    const own = await dataOf(await asUser(sharing.cleo)('POST', '', { name: "Cleo's" }));
    expect((await asUser(sharing.cleo)('PATCH', `/${own.id}`, { cover_key: key })).status).toBe(400);
  });
});

it('needs a session or a full token', async () => {
  const { id } = await create({});
  for (const [method, path, body] of [
    ['GET', ''],
    ['POST', '', { name: 'x' }],
    ['POST', '/order', { ids: [id] }],
    ['GET', `/${id}`],
    ['GET', `/${id}/hidden`],
    ['PATCH', `/${id}`, { name: 'x' }],
    ['DELETE', `/${id}`],
  ] as const) {
    const { 'a guest': guest, "the owner's upload token": upload } = sharing.strangers as Record<string, Record<string, string>>;
    const full = sharing.owners['the owner by full token'] as Record<string, string>;
    const statuses = [];
    for (const headers of [guest, upload, full]) statuses.push((await as(headers ?? {})(method, path, body)).status);
    expect([method, path, statuses]).toEqual([method, path, [401, 403, 200]]);
  }
});

describe('hidden images', () => {
  let album: string;
  beforeAll(async () => {
    sharing = await startSharing();
    album = (await sharing.bea.client.call(createAlbum, { body: { name: 'Trip', visibility: 'public' } })).id;
  });
  afterAll(() => sharing[Symbol.asyncDispose]());

  const NONE = { private: 0, expired: 0, password_protected: 0, view_limited: 0 };
  const counts = () => sharing.bea.client.call(albumHidden, { params: { id: album } });

  it('counts each picture that visitors of an album don’t see once, by its first reason', async () => {
    const put = (fields: Record<string, string>) => sharing.upload({ album_id: album, ...fields });
    await put({});
    expect(await counts()).toEqual(NONE);
    await put({ max_views: '5' });
    await put({ access_password: 'sesame', max_views: '5' });
    await put({ visibility: 'private', access_password: 'sesame', max_views: '5' });
    const due = await put({ expires_in: '3600' });
    await put({ expires_in: '3600' });
    await sharing.alter(due.key, { expires_at: 1 });
    const trashed = await put({ visibility: 'private' });
    await sharing.bea.fetch(`/api/v1/images/${trashed.key}`, { method: 'DELETE' });
    await sharing.upload({ visibility: 'private' });
    expect(await counts()).toEqual({ private: 1, expired: 1, password_protected: 1, view_limited: 1 });
    const seen = (await dataOf(await fetch(`${sharing.url}/api/v1/a/${album}`))).image_count;
    expect([seen, (await sharing.bea.client.call(getAlbum, { params: { id: album } })).image_count]).toEqual([2, 5]);
  });

  it.skipIf(onPostgres)('reads only hidden pictures', async () => {
    const plan = await withDatabase(sharing.service, ({ read }) =>
      hiddenQuery(read, album, sharing.bea.id).explain(undefined, sql`query plan`),
    );
    expect((plan as { detail: string }[])[0]?.detail).toBe('SEARCH album_images USING INDEX album_images_hidden (album_id=?)');
  });
});
