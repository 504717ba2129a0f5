import { expect, it } from 'vitest';
import { changeUser, deleteUser, transferUser } from '#api/admin/users.ts';
import { createAlbum, deleteAlbum, getAlbum, listAlbums, listPublicAlbumImages } from '#api/albums/albums.ts';
import { listMembers, putMember, removeMember } from '#api/albums/members.ts';
import { addToAlbum, listAlbumImages, orderAlbumImages, removeFromAlbum } from '#api/albums/pictures.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { getImage, listImages, trashImage } from '#api/images/images.ts';
import { restoreTrash } from '#api/images/trash.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { postForm } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner: admin } = await startFileService();
const [bea, cora, vera] = [await addUser(service, 'Bea'), await addUser(service, 'cora'), await addUser(service, 'vera')];

let seed = 0;
const newAlbum = async (user = bea, body: object = {}) => (await user.client.call(createAlbum, { body: { name: 'Regatta', ...body } })).id;
const share = (id: string, username: string, role: 'viewer' | 'contributor' | 'manager', by = bea) =>
  by.client.call(putMember, { params: { id }, body: { username, role } });
const remove = (id: string, user: AddedUser, by = bea) => by.client.call(removeMember, { params: { id, user_id: user.id } });
const upload = async (user: AddedUser, fields: Record<string, string> = {}) =>
  uploadImage(service, await user.token('full'), await photoJpeg({ seed: ++seed, width: 40, height: 30 }), {
    visibility: 'private',
    ...fields,
  });
const add = (user: AddedUser, id: string, ...keys: string[]) => user.client.call(addToAlbum, { params: { id }, body: { keys } });
const listed = async (user: AddedUser, id: string, query: object = {}) =>
  (await user.client.call(listAlbumImages, { params: { id }, query })).items.map(({ key }) => key);
const albumsOf = async (user: AddedUser, key: string) => (await user.client.call(getImage, { params: { key } })).albums;
const shared = async (user: AddedUser) => (await user.client.call(listAlbums, { query: { shared: 'true' } })).items;
const code = async (call: Promise<unknown>) => call.then(String, (error: { code?: string }) => error.code);
const opens = async (user: AddedUser, url: string) => (await user.fetch(new URL(url).pathname)).status;

it('shares an album by exact name, changes roles, and says who added what', async () => {
  const id = await newAlbum();
  expect(await share(id, 'CORA', 'viewer')).toEqual({
    id: cora.id,
    username: 'cora',
    avatar_url: null,
    role: 'viewer',
    added_at: expect.any(String),
  });
  expect(await code(share(id, 'cor', 'viewer'))).toBe('not_found');
  expect(await code(share(id, 'cora@example.org', 'viewer'))).toBe('not_found');
  expect(await code(share(id, 'bea', 'viewer'))).toBe('invalid_request');
  expect(await code(add(cora, id, (await upload(cora)).key))).toBe('forbidden');
  await share(id, 'cora', 'contributor');
  await share(id, 'vera', 'viewer');
  const [ofBea, ofCora] = [await upload(bea, { album_id: id }), await upload(cora, { albums: id, tags: 'mine' })];
  const { items } = await vera.client.call(listAlbumImages, { params: { id }, query: {} });
  expect(items.map(({ key, owner, added_by }) => [key, owner.username, added_by?.username])).toEqual([
    [ofCora.key, 'cora', 'cora'],
    [ofBea.key, 'Bea', 'Bea'],
  ]);
  expect((await vera.client.call(listMembers, { params: { id } })).items.map(({ username, role }) => [username, role])).toEqual([
    ['cora', 'contributor'],
    ['vera', 'viewer'],
  ]);
  expect(await shared(vera)).toMatchObject([{ id, role: 'viewer', owner: { username: 'Bea' }, member_count: 2, image_count: 2 }]);
  expect(await shared(bea)).toEqual([]);
  // One's own lists have one's own pictures only.
  const own = await cora.client.call(listImages, { query: { album_id: id } });
  expect(own.items.map(({ key, album_id }) => [key, album_id])).toEqual([[ofCora.key, id]]);
  expect((await bea.client.call(listImages, { query: { album_id: id } })).items.map(({ key }) => key)).toEqual([ofBea.key]);
  // Searching finds what is told, by those who don't own it.
  expect(await listed(bea, id, { q: 'photo' })).toHaveLength(2);
  expect([
    await listed(bea, id, { q: 'mine' }),
    await listed(bea, id, { q: '> 1 MB' }),
    await listed(vera, id, { q: 'jpg' }),
  ]).toMatchObject([[], [], { length: 2 }]);
  // Filters by what is told of all; favourites, tags and visibility are known of one's own alone.
  await bea.client.call(updateImage, { params: { key: ofBea.key }, body: { favourite: true } });
  expect(await listed(bea, id, { type: 'jpg', from: '2020-01-01', max_size: '1000000' })).toHaveLength(2);
  expect([await listed(bea, id, { type: 'png' }), await listed(bea, id, { to: '2020-01-01' })]).toEqual([[], []]);
  for (const tagged of [{ tag: 'mine' }, { q: '#Mine' }, { q: 'tag:mine photo' }])
    expect([await listed(cora, id, tagged), await listed(bea, id, tagged)]).toEqual([[ofCora.key], []]);
  expect([await listed(bea, id, { favourite: 'true' }), await listed(cora, id, { favourite: 'true' })]).toEqual([[ofBea.key], []]);
  expect([await listed(cora, id, { visibility: 'private' }), await listed(vera, id, { visibility: 'private' })]).toEqual([
    [ofCora.key],
    [],
  ]);
  // What only the owner of a picture knows comes from the owner's own list, by the same keys.
  const keys = (await cora.client.call(listAlbumImages, { params: { id }, query: {} })).items.map(({ key }) => key);
  expect(keys).toHaveLength(2);
  const known = await cora.client.call(listImages, { query: { album_id: id, keys: keys.join(',') } });
  expect(known.items.map(({ key, tags }) => [key, tags])).toEqual([[ofCora.key, ['mine']]]);
  const pages = await vera.client.call(listAlbumImages, { params: { id }, query: { limit: 1, sort: 'uploaded_asc', q: 'photo' } });
  expect([pages.items[0]?.key, pages.next_cursor]).toEqual([ofBea.key, expect.any(String)]);
  expect(await listed(vera, id, { limit: 1, sort: 'uploaded_asc', q: 'photo', cursor: pages.next_cursor })).toEqual([ofCora.key]);
});

it('opens private pictures while they are in the album, and no longer', async () => {
  const id = await newAlbum();
  await share(id, 'cora', 'contributor');
  await share(id, 'vera', 'viewer');
  const picture = await upload(cora, { album_id: id });
  expect([await opens(vera, picture.links.url), await opens(bea, picture.links.thumbnail_url)]).toEqual([200, 200]);
  await cora.client.call(updateImage, { params: { key: picture.key }, body: { albums: [] } });
  expect([await opens(vera, picture.links.url), await opens(bea, picture.links.url)]).toEqual([404, 404]);
  await add(cora, id, picture.key);
  await cora.client.call(trashImage, { params: { key: picture.key } });
  expect([await opens(vera, picture.links.url), await listed(vera, id)]).toEqual([404, []]);
  await cora.client.call(restoreTrash, { body: { keys: [picture.key] } });
  expect(await opens(vera, picture.links.url)).toBe(200);
  await remove(id, vera, vera);
  expect([await opens(vera, picture.links.url), (await shared(vera)).map((album) => album.id)]).toEqual([
    404,
    expect.not.arrayContaining([id]),
  ]);
  await bea.client.call(deleteAlbum, { params: { id }, query: { images: 'trash' } });
  expect([await opens(bea, picture.links.url), await opens(cora, picture.links.url), await albumsOf(cora, picture.key)]).toEqual([
    404,
    200,
    [],
  ]);
});

it('takes a former member’s pictures out permanently, also those in the trash and those that an undo would put back', async () => {
  const id = await newAlbum(bea, { visibility: 'public' });
  await share(id, 'cora', 'contributor');
  const [one, trashed, moved] = [
    await upload(cora, { album_id: id, visibility: 'public' }),
    await upload(cora, { album_id: id }),
    await upload(cora, { album_id: id }),
  ];
  await cora.client.call(trashImage, { params: { key: trashed.key } });
  const { undo = '' } = await cora.client.call(batchImages, { body: { action: 'move', keys: [moved.key], album_id: null } });
  const many = await withDatabase(service, (db) => addImageRows(db, cora.id, 600, () => ({ album_id: id })));
  expect((await bea.client.call(getAlbum, { params: { id } })).image_count).toBe(601);
  await remove(id, cora);
  expect((await bea.client.call(getAlbum, { params: { id } })).image_count).toBe(0);
  await share(id, 'cora', 'viewer');
  await cora.client.call(restoreTrash, { body: { keys: [trashed.key] } });
  await cora.client.call(batchImages, { body: { action: 'undo', undo } });
  for (const key of [one.key, trashed.key, moved.key, many[0] as string]) expect(await albumsOf(cora, key)).toEqual([]);
  expect((await bea.client.call(listPublicAlbumImages, { params: { id }, query: {} })).items).toEqual([]);
});

it('lets managers remove and sort others’ pictures, and their owners take them out', async () => {
  const id = await newAlbum();
  const other = await newAlbum(cora);
  await share(id, 'cora', 'contributor');
  await share(id, 'vera', 'manager');
  const [ofBea, ofCora] = [await upload(bea, { album_id: id }), await upload(cora, { albums: `${other},${id}` })];
  await vera.client.call(orderAlbumImages, { params: { id }, body: { keys: [ofBea.key], before: ofCora.key } });
  expect(await listed(cora, id)).toEqual([ofBea.key, ofCora.key]);
  // Contributors remove nothing of others, by whichever way.
  const results = await cora.client.call(removeFromAlbum, { params: { id }, body: { keys: [ofBea.key] } });
  expect(results).toMatchObject({ processed: 0, results: [{ code: 'not_found' }] });
  const removed = await vera.client.call(removeFromAlbum, { params: { id }, body: { keys: [ofBea.key, ofCora.key] } });
  expect([removed.processed, removed.undo, await listed(vera, id)]).toEqual([2, undefined, []]);
  // It stays in its owner's own album, and nobody else can put it back.
  expect([await albumsOf(cora, ofCora.key), await albumsOf(bea, ofBea.key)]).toEqual([[other], []]);
  expect(await add(vera, id, ofCora.key)).toMatchObject({ processed: 0 });
  await add(cora, id, ofCora.key);
  await share(id, 'cora', 'viewer');
  expect(await code(add(cora, id, ofCora.key))).toBe('forbidden');
  await cora.client.call(updateImage, { params: { key: ofCora.key }, body: { albums: [id] } });
  expect(await cora.client.call(removeFromAlbum, { params: { id }, body: { query: {} } })).toMatchObject({ processed: 1 });
  expect(await code(cora.client.call(updateImage, { params: { key: ofCora.key }, body: { albums: [id] } }))).toBe('album_not_found');
});

it('keeps members when albums are transferred, and drops what their new owners don’t take part in', async () => {
  const [from, to] = [await addUser(service, 'from'), await addUser(service, 'to')];
  const [id, foreign] = [await newAlbum(from), await newAlbum(bea)];
  await share(id, 'cora', 'contributor', from);
  await share(id, 'to', 'viewer', from);
  await share(foreign, 'from', 'contributor');
  const [own, ofCora, elsewhere] = [
    await upload(from, { album_id: id }),
    await upload(cora, { album_id: id }),
    await upload(from, { album_id: foreign }),
  ];
  await admin.client.call(transferUser, { params: { id: from.id }, body: { to_user_id: to.id } });
  expect(await listed(cora, id)).toEqual([ofCora.key, own.key]);
  expect((await to.client.call(getAlbum, { params: { id } })).role).toBe('owner');
  expect((await to.client.call(listMembers, { params: { id } })).items.map(({ username }) => username)).toEqual(['cora']);
  expect([await albumsOf(to, elsewhere.key), await listed(bea, foreign), await shared(to)]).toEqual([[], [], []]);
});

it('ends memberships with the account at once, and removes its pictures; a disabled account’s pictures stay', async () => {
  const gone = await addUser(service, 'gone');
  const [id, own] = [await newAlbum(), await newAlbum(gone)];
  await share(id, 'gone', 'contributor');
  await share(id, 'vera', 'viewer');
  await share(own, 'cora', 'contributor', gone);
  const [picture, ofCora] = [await upload(gone, { album_id: id }), await upload(cora, { album_id: own })];
  await admin.client.call(changeUser, { params: { id: gone.id }, body: { disabled: true } });
  expect(await listed(vera, id)).toEqual([picture.key]);
  await admin.client.call(deleteUser, { params: { id: gone.id }, query: {} });
  expect([await listed(vera, id), await opens(vera, picture.links.url)]).toEqual([[], 404]);
  expect((await bea.client.call(listMembers, { params: { id } })).items.map(({ username }) => username)).toEqual(['vera']);
  expect(await opens(cora, ofCora.links.url)).toBe(200);
  await expect.poll(async () => (await bea.client.call(getAlbum, { params: { id } })).image_count).toBe(0);
});

it('names at most 30 users an hour, and has room for a limited number', async () => {
  const eager = await addUser(service, 'eager');
  const id = await newAlbum(eager);
  for (let attempt = 0; attempt < 29; attempt++) expect(await code(share(id, `nobody${attempt}`, 'viewer', eager))).toBe('not_found');
  await share(id, 'cora', 'viewer', eager);
  expect(await code(share(id, 'vera', 'viewer', eager))).toBe('rate_limited');
  expect((await share(id, 'cora', 'manager', eager)).role).toBe('manager');
});

it('tells members of what changes, nobody else, and ends the stream of a former member', async () => {
  const id = await newAlbum();
  const told = async ({ cookie }: AddedUser) => {
    const stream = await openEvents(service, { cookie });
    await expect.poll(() => stream.events.length).toBeGreaterThan(0);
    return stream;
  };
  const [ofBea, ofVera, ofCora] = [await told(bea), await told(vera), await told(cora)];
  /** Waits until a change to the album has been told of. */
  const isTold = async () => {
    await expect.poll(() => ofVera.told()['album.changed']).toContain(id);
    await vera.client.call(updateImage, { params: { key: mark.key }, body: {} });
    await expect.poll(() => ofVera.told()['image.changed']).toEqual([mark.key]);
    const { 'image.changed': _own, ...others } = ofVera.told();
    expect(Object.keys(others)).toEqual(['album.changed']);
    ofVera.events.length = 0;
  };
  const mark = await upload(vera);
  await expect.poll(() => ofVera.told()['image.created']).toEqual([mark.key]);
  ofVera.events.length = 0;
  await share(id, 'vera', 'viewer');
  await isTold();
  const { key } = await upload(bea, { album_id: id });
  await isTold();
  await bea.client.call(updateImage, { params: { key }, body: { title: 'Start' } });
  await isTold();
  await bea.client.call(trashImage, { params: { key } });
  await isTold();
  // Another picture of the same owner is none of their business.
  await upload(bea);
  await upload(vera);
  await expect.poll(() => Object.keys(ofVera.told())).toEqual(['image.created']);
  await remove(id, vera);
  await ofVera.ended;
  const after = ofVera.events.at(-1)?.id ?? '';
  const again = await openEvents(service, { cookie: vera.cookie, 'last-event-id': after });
  await expect.poll(() => again.told()['album.changed']).toEqual([id]);
  expect(Object.keys(ofCora.told())).toEqual([]);
  expect(ofBea.told()['album.changed']).toContain(id);
});

it('stores nothing for a member who is removed while they upload', async () => {
  const id = await newAlbum();
  await share(id, 'cora', 'contributor');
  const { items: before } = await cora.client.call(listImages, { query: {} });
  const reply = await postForm(`${service.url}/api/v1/upload`, await photoJpeg({ seed: ++seed, width: 40, height: 30 }), {
    headers: { authorization: `Bearer ${await cora.token('full')}` },
    fields: { album_id: id },
    meanwhile: () => remove(id, cora),
  });
  expect(reply).toMatchObject({ status: 400, data: { code: 'album_not_found' } });
  expect((await cora.client.call(listImages, { query: {} })).items).toEqual(before);
  expect(await listed(bea, id)).toEqual([]);
});

it('sorts everyone’s pictures by name without regard to capitals, page by page', async () => {
  const token = await bea.token('full');
  const id = await newAlbum();
  const names = ['b.png', 'A.png', 'a.png', 'C.png', 'B2.png'];
  for (const [at, name] of names.entries()) await uploadImage(service, token, tinyPng(9_000 + at), { album_id: id }, name);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bea.client.call(listAlbumImages, { params: { id }, query: { sort: 'name_asc', limit: 1, cursor } });
    found.push(...page.items.map(({ name }) => name.toLowerCase()));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(found).toEqual(['a.png', 'a.png', 'b.png', 'b2.png', 'c.png']);
});
