import { afterAll, describe, expect, it } from 'vitest';
import { listPublicAlbumImages } from '#api/albums/albums.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { imageViews } from '#api/images/files.ts';
import { getImage, type Image, listImages } from '#api/images/images.ts';
import { emptyTrash, listTrash, purgeTrash, restoreTrash } from '#api/images/trash.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { countedStorage } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, startSharing } from '#test/helpers/service/sharing.ts';

const ALBUM = 'AAAAAAAAA1';
const OTHERS_ALBUM = 'AAAAAAAAA2';
const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
const token = await owner.token('full');
await withDatabase(service, (db) =>
  db.as('job').write(async (queries) => {
    for (const [id, owner_id] of [
      [ALBUM, 1],
      [OTHERS_ALBUM, other.id],
    ] as const) {
      const rest = { description: '', visibility: 'private' as const, password_hash: null, cover_key: null, position: 0 };
      await queries
        .insertInto('albums')
        .values({ id, owner_id, name: 'album', created_at: 1, updated_at: 1, ...rest })
        .execute();
    }
  }),
);

let seed = 100;
const upload = async (fields: Record<string, string> = {}, bearer = token): Promise<Image> =>
  uploadImage(service, bearer, await photoJpeg({ width: 40, height: 30, seed: seed++ }), fields);
const change = (key: string, body: object, who = owner) => who.client.call(updateImage, { params: { key }, body });
const batch = async (body: object, who = owner) => (await who.client.call(batchImages, { body: body as never })).results;
const status = async (url: string) => (await fetch(url)).status;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );

it('changes every property, and the links follow at once', async () => {
  const { key, links } = await upload();
  expect(await status(links.url)).toBe(200);
  const changed = await change(key, { name: '../Küche\u202e.jpg', tags: [' a ', 'A', '猫'], favourite: true, album_id: ALBUM });
  expect(changed).toMatchObject({ name: 'Küche.jpg', tags: ['a', '猫'], favourite: true, album_id: ALBUM });
  expect(await change(key, { album_id: null, favourite: false })).toMatchObject({ album_id: null, favourite: false, name: 'Küche.jpg' });
  await change(key, { visibility: 'private' });
  expect(await status(links.url)).toBe(404);
  await change(key, { visibility: 'public', access_password: 'secret' });
  expect(await status(links.url)).toBe(401);
  await change(key, { access_password: null, max_views: 1 });
  expect([await status(links.url), await status(links.url)]).toEqual([200, 410]);
  const free = await change(key, { max_views: null, expires_in: 3600 });
  expect(Date.parse(free.expires_at as string) - Date.now()).toBeGreaterThan(3_590_000);
  expect(await change(key, { expires_in: 0 })).toMatchObject({ expires_at: null, max_views: 0, has_password: false });
  expect(await status(links.url)).toBe(200);
});

it("refuses other users' pictures, and values that the group doesn't allow", async () => {
  const { key } = await upload();
  expect(await code(change(key, { name: 'x' }, other))).toBe('not_found');
  expect(await code(change(key, { album_id: OTHERS_ALBUM }))).toBe('album_not_found');
  for (const body of [
    { name: '' },
    { expires_in: -1 },
    { max_views: 1.5 },
    { tags: ['x'.repeat(51)] },
    { visibility: 'secret' },
    { access_password: '' },
  ])
    expect(await code(change(key, body))).toBe('invalid_request');
  await withDatabase(service, (db) =>
    db
      .as('job')
      .write((queries) =>
        queries.updateTable('groups').set({ max_expires_in: 60, max_max_views: 5 }).where('kind', '=', 'default').execute(),
      ),
  );
  const theirs = await upload({ expires_in: '60', max_views: '5' }, await other.token('full'));
  for (const body of [{ expires_in: 0 }, { expires_in: null }, { expires_in: 61 }])
    expect(await code(change(theirs.key, body, other))).toBe('expires_over_group');
  for (const body of [{ max_views: 0 }, { max_views: null }, { max_views: 6 }])
    expect(await code(change(theirs.key, body, other))).toBe('max_views_over_group');
  expect(await change(theirs.key, { expires_in: 30, max_views: 2 }, other)).toMatchObject({ max_views: 2 });
});

it('moves to the trash like the Lsky plug-in, restores, and purges; the counters stay right', async () => {
  const one = await upload();
  const deleted = await fetch(`${service.url}/api/v1/images/${one.key}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await deleted.json()).toMatchObject({ status: true });
  expect(await status(one.links.url)).toBe(404);
  expect(await code(owner.client.call(getImage, { params: { key: one.key } }))).toBe('not_found');
  expect((await owner.fetch(`/api/v1/images/${one.key}`, { method: 'DELETE' })).status).toBe(404);
  const { items } = await owner.client.call(listTrash, { query: {} });
  expect(items.map(({ key }) => key)).toEqual([one.key]);
  expect(Date.parse(items[0]?.purge_at as string) - Date.parse(items[0]?.deleted_at as string)).toBe(30 * 86_400_000);
  const small = await owner.fetch(`/api/v1/trash/${one.key}/thumbnail`);
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await other.fetch(`/api/v1/trash/${one.key}/thumbnail`)).status).toBe(404);
  expect((await other.client.call(listTrash, { query: {} })).items).toEqual([]);
  expect(await other.client.call(restoreTrash, { body: { keys: [one.key] } })).toMatchObject({
    results: [{ ok: false, code: 'not_found' }],
  });
  expect(await owner.client.call(restoreTrash, { body: { keys: [one.key] } })).toMatchObject({ results: [{ key: one.key, ok: true }] });
  expect(await status(one.links.url)).toBe(200);
  expect(await owner.client.call(purgeTrash, { body: { keys: [one.key] } })).toMatchObject({ results: [{ ok: false, code: 'not_found' }] });
  await batch({ action: 'trash', keys: [one.key] });
  expect(await other.client.call(emptyTrash, {})).toEqual({ purged: 0 });
  expect(await owner.client.call(emptyTrash, {})).toEqual({ purged: 1 });
  expect((await owner.client.call(listTrash, { query: {} })).items).toEqual([]);
  const { booked, real } = await withDatabase(service, (db) => countedStorage(db, 1));
  expect(booked).toEqual(real);
});

it('pages through the trash, even when many were deleted at the same moment', async () => {
  const keys = [];
  for (let index = 0; index < 5; index++) keys.push((await upload()).key);
  await batch({ action: 'trash', keys });
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await owner.client.call(listTrash, { query: { limit: 2, ...(cursor && { cursor }) } });
    seen.push(...page.items.map(({ key }) => key));
    cursor = page.next_cursor;
  } while (cursor);
  expect(seen).toEqual([...keys].reverse());
  await owner.client.call(emptyTrash, {});
});

it('returns one result per key of a batch, and leaves the pictures of others alone', async () => {
  const [one, two, theirs] = [
    await upload(),
    await upload(),
    await upload({ max_views: '5', expires_in: '60' }, await other.token('full')),
  ];
  const keys = [one.key, theirs.key, 'unknown00000', two.key, one.key];
  const results = [
    { key: one.key, ok: true },
    { key: theirs.key, ok: false, code: 'not_found' },
    { key: 'unknown00000', ok: false, code: 'not_found' },
    { key: two.key, ok: true },
  ];
  for (const body of [
    { action: 'visibility', visibility: 'private' },
    { action: 'favourite', favourite: true },
    { action: 'move', album_id: ALBUM },
    { action: 'tag', tags: ['a', 'b'] },
    { action: 'tag', tags: ['A'], mode: 'remove' },
    { action: 'trash' },
    { action: 'restore' },
  ])
    expect([body, await batch({ ...body, keys })]).toEqual([body, results]);
  expect(await owner.client.call(getImage, { params: { key: two.key } })).toMatchObject({
    visibility: 'private',
    favourite: true,
    album_id: ALBUM,
    tags: ['b'],
  });
  expect(await other.client.call(getImage, { params: { key: theirs.key } })).toMatchObject({
    visibility: 'public',
    favourite: false,
    album_id: null,
    tags: [],
  });
  expect((await owner.client.call(listImages, { query: { album_id: ALBUM } })).items.map(({ key }) => key)).toEqual([two.key, one.key]);
  expect((await other.client.call(listImages, { query: { album_id: ALBUM } })).items).toEqual([]);
  expect(await code(batch({ action: 'move', keys, album_id: OTHERS_ALBUM }))).toBe('album_not_found');
  expect(await batch({ action: 'purge', keys })).toEqual(results);
  expect(await code(owner.client.call(getImage, { params: { key: one.key } }))).toBe('not_found');
  const { booked, real } = await withDatabase(service, (db) => countedStorage(db, 1));
  expect(booked).toEqual(real);
});

it.each([
  { action: 'trash', keys: [] },
  { action: 'trash', keys: Array.from({ length: 501 }, (_, index) => String(index).padStart(12, '0')) },
  { action: 'explode', keys: ['AAAAAAAAAAAA'] },
  { action: 'move', keys: ['AAAAAAAAAAAA'] },
  { action: 'favourite', keys: ['AAAAAAAAAAAA'] },
  { action: 'tag', keys: ['../../../etc'], tags: [] },
])('refuses an invalid batch: %j', async (body) => {
  expect(await code(batch(body))).toBe('invalid_request');
});

it('counts the views of others per day, limited or not, but not the owner’s', async () => {
  const [free, limited] = [await upload(), await upload({ max_views: '3' })];
  for (const { links } of [free, limited]) {
    await fetch(links.url);
    await fetch(links.url);
    await fetch(links.url, { method: 'HEAD' });
    await fetch(links.url, { headers: { authorization: `Bearer ${token}` } });
  }
  for (const { key } of [free, limited]) {
    const { total, days } = await owner.client.call(imageViews, { params: { key }, query: { days: 3 } });
    expect(total).toBe(2);
    expect(days.map(({ views }) => views).reduce((sum, views) => sum + views, 0)).toBe(2);
    expect(days).toHaveLength(3);
    expect(await code(other.client.call(imageViews, { params: { key }, query: {} }))).toBe('not_found');
  }
});

describe('descriptions', async () => {
  const sharing = await startSharing();
  afterAll(() => sharing[Symbol.asyncDispose]());
  const { service, bea, cleo, url } = sharing;
  const change = (key: string, body: object, who = bea) => who.client.call(updateImage, { params: { key }, body });
  const found = async (q: string) => (await bea.client.call(listImages, { query: { q } })).items.map(({ key }) => key);

  it('takes texts with an upload, cleans them, and changes or removes them later', async () => {
    const sent = { title: ' The\nharbour ', caption: 'First line\r\nsecond\u0007\n\n\n\nthird', alt: 'Boats\u202e\tat\ndawn' };
    const uploaded = await sharing.upload(sent);
    expect(uploaded).toMatchObject({ title: 'The harbour', caption: 'First line\nsecond\n\nthird', alt: 'Boats at dawn', reused: false });
    expect(await sharing.upload()).toMatchObject({ title: '', caption: '', alt: '' });
    expect(await change(uploaded.key, { title: '', alt: null })).toMatchObject({
      title: '',
      alt: '',
      caption: 'First line\nsecond\n\nthird',
    });
    await expect(change(uploaded.key, { title: 'x' }, cleo)).rejects.toMatchObject({ code: 'not_found' });
    for (const body of [{ title: 'x'.repeat(201) }, { caption: 'x'.repeat(2001) }, { alt: 'x'.repeat(1001) }, { alt: 7 }])
      await expect(change(uploaded.key, body)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is not a repeat when it describes the same picture differently', async () => {
    const bytes = await photoJpeg({ seed: 4711, width: 40, height: 30 });
    const token = await bea.token('full');
    const upload = (fields?: Record<string, string>) => uploadImage(service, token, bytes, fields);
    const first = await upload({ title: 'Harbour' });
    expect(await upload()).toMatchObject({ key: first.key, reused: true, title: 'Harbour' });
    expect(await upload({ title: 'Harbour' })).toMatchObject({ key: first.key, reused: true });
    expect(await upload({ title: 'Dawn' })).toMatchObject({ reused: false, title: 'Dawn' });
  });

  it('finds pictures by each text, and forgets removed ones', async () => {
    const { key } = await sharing.upload({ title: 'Leuchtturmwärter', caption: '清晨的渔船\nand nets', alt: 'zebra crossing' });
    for (const q of ['turmwarter', '渔船', 'nets', 'zebra', 'zebra 清晨']) expect(await found(q), q).toEqual([key]);
    await change(key, { alt: '' });
    expect(await found('zebra')).toEqual([]);
  });

  it('writes the alternative text into Markdown and HTML so that it stays text', async () => {
    const alt = 'a "quoted" <b> & [link](x) *star* `code` | ~ \\ end';
    const { key, links } = await sharing.upload({ alt, title: 'Harbour' });
    expect(links.html).toBe(`<img src="${links.url}" alt="a &quot;quoted&quot; &lt;b&gt; &amp; [link](x) *star* \`code\` | ~ \\ end">`);
    expect(links.markdown).toBe(`![a "quoted" \\<b\\> \\& \\[link\\](x) \\*star\\* \\\`code\\\` \\| \\~ \\\\ end](${links.url})`);
    const untold = await change(key, { alt: '' });
    expect(untold.links.markdown).toBe(`![Harbour](${links.url})`);
    // The text of a link to the share page names the picture; it doesn't stand in for it.
    const limited = await change(key, { alt: 'boats', max_views: 3 });
    expect(limited.links.html).toBe(`<a href="${links.share_url}">Harbour</a>`);
    const unnamed = await change(key, { title: '', alt: '', max_views: 0 });
    expect(unnamed.links.html).toBe(`<img src="${links.url}" alt="photo.jpg">`);
  });

  it('shows them on the share page, in previews and in public albums, unless the picture is locked', async () => {
    const texts = { title: 'Harbour & "dawn"', caption: 'Two boats\n<script>', alt: 'Boats' };
    const album = await dataOf(await bea.fetch('/api/v1/albums', jsonPost({ name: 'Sea', visibility: 'public' })));
    const { key } = await sharing.upload({ ...texts, album_id: String(album.id) });
    const share = () => fetch(`${url}/api/v1/s/${key}`).then(dataOf);
    expect(await share()).toMatchObject(texts);
    const page = async () => (await fetch(`${url}/s/${key}`)).text();
    expect(await page()).toContain('property="og:title" content="Harbour &amp; &quot;dawn&quot;"');
    expect(await page()).toContain('property="og:description" content="Two boats &lt;script&gt;"');
    expect(await page()).toContain('property="og:image:alt" content="Boats"');
    const { items } = await cleo.client.call(listPublicAlbumImages, { params: { id: String(album.id) } as never, query: {} });
    expect(items).toMatchObject([{ key, title: texts.title, alt: 'Boats' }]);
    await change(key, { access_password: 'secret' });
    expect(await share()).toEqual({ key, password_required: true });
    expect(await page()).not.toContain('Two boats');
  });

  function jsonPost(body: object): RequestInit {
    return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
});
