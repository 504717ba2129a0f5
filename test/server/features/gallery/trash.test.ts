import { describe, expect, it } from 'vitest';
import { createAlbum, deleteAlbum } from '#api/albums/albums.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { countImages, listImages, trashImage } from '#api/images/images.ts';
import { getTimeline, listPlaceholders } from '#api/images/timeline.ts';
import { listTrash, listTrashBatches, purgeTrash, restoreTrash } from '#api/images/trash.ts';
import { forgetUndos } from '#server/features/gallery/undo.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const { service } = await startFileService();
const HOUR = 3_600_000;
const START = Date.parse('2026-01-10T12:00:00Z');
let number = 0;
const newUser = () => addUser(service, `user${++number}`);
const add = (user: SignedIn & { id: number }, count: number, each: (index: number) => object = () => ({})) =>
  withDatabase(service, (db) => addImageRows(db, user.id, count, each));
const batch = (user: SignedIn, body: object) => user.client.call(batchImages, { body: body as never });
const batches = async (user: SignedIn) => (await user.client.call(listTrashBatches, {})).items;
const count = async (user: SignedIn, query: object = {}) => (await user.client.call(countImages, { query: query as never })).count;
const inTrash = (user: SignedIn) => count(user, { trash: 'true' });
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );

it('lists the trash like other pictures, latest deletion first, with its days, placeholders and pages', async () => {
  const user = await newUser();
  await add(user, 3);
  const keys = await add(user, 250, (index) => ({ deleted_at: START - index * HOUR, thumbhash: `hash${index}` }));
  const read: string[] = [];
  const timeline = await user.client.call(getTimeline, { query: { sort: 'deleted_desc' } });
  for (const [index, until] of [...timeline.cursors, undefined].entries()) {
    const query = { trash: 'true', sort: 'deleted_desc', limit: 200, cursor: timeline.cursors[index - 1], until } as const;
    read.push(...(await user.client.call(listImages, { query })).items.map(({ key }) => key));
  }
  expect(read).toEqual(keys);
  expect(timeline).toMatchObject({ count: 250, months: [{ month: '2026-01' }, { month: '2025-12' }] });
  expect(timeline.months[0]?.days[0]).toEqual([10, 13]);
  const { items } = await user.client.call(listPlaceholders, { query: { sort: 'deleted_desc' } });
  expect([items.length, items[249]]).toEqual([250, 'hash249']);
  expect([await inTrash(user), await count(user)]).toEqual([250, 3]);
  const day = { trash: 'true', date: 'deleted', from: '2026-01-10T00:00:00Z', to: '2026-01-11T00:00:00Z' };
  expect(await count(user, day)).toBe(13);
});

it('has what has just expired, says how many have, and notices every change', async () => {
  const user = await newUser();
  const [first] = (await add(user, 2, (index) => ({ expires_at: index ? null : 1 }))) as [string];
  const read = (etag?: string) =>
    user.fetch('/api/v1/images/timeline?trash=true&sort=deleted_desc', { headers: etag ? { 'if-none-match': etag } : {} });
  const before = await read();
  expect((await before.json()).data.count).toBe(1);
  const etag = before.headers.get('etag') as string;
  expect((await read(etag)).status).toBe(304);
  expect(await user.client.call(countImages, { query: { trash: 'true' } })).toMatchObject({ count: 1, expired: 1 });
  await user.client.call(restoreTrash, { body: { keys: [first] } });
  expect((await read(etag)).status).toBe(200);
  expect(await user.client.call(countImages, { query: { trash: 'true' } })).toMatchObject({ count: 0, expired: 0 });
});

it('restores everything that a query matches except some, and nothing of others', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const keys = await add(user, 450, (index) => ({ deleted_at: START + index }));
  await add(other, 2, () => ({ deleted_at: START }));
  const restore = (body: object, who = user) => who.client.call(restoreTrash, { body: body as never });
  expect(await code(restore({}))).toBe('invalid_request');
  expect(await code(restore({ keys, query: {} }))).toBe('invalid_request');
  expect(await code(restore({ query: { trash: true } }))).toBe('invalid_request');
  expect(await restore({ keys: [keys[0]] }, other)).toMatchObject({ processed: 0, failed: 1 });
  const until = { date: 'deleted', to: new Date(START + 440).toISOString() };
  expect(await restore({ query: until, except_keys: [keys[3]] })).toEqual({ results: [], processed: 439, failed: 0 });
  expect([await inTrash(user), await count(user), await inTrash(other)]).toEqual([11, 439, 2]);
});

it('restores by a query what has expired, for as long as is asked', async () => {
  const user = await newUser();
  await add(user, 2, (index) => ({ deleted_at: START, expires_at: index ? START : null }));
  expect(await user.client.call(restoreTrash, { body: { query: {}, expires_in: 600 } })).toMatchObject({ processed: 2 });
  const { items } = await user.client.call(listImages, { query: {} });
  expect(items.map(({ expires_at }) => expires_at === null).sort()).toEqual([false, true]);
});

it('purges by a query what is in the trash and nothing else', async () => {
  const [user, other] = [await newUser(), await newUser()];
  await add(user, 450, () => ({ deleted_at: START }));
  const [live] = await add(user, 3);
  await add(other, 2, () => ({ deleted_at: START }));
  const purge = (body: object) => user.client.call(purgeTrash, { body: body as never });
  expect(await code(purge({}))).toBe('invalid_request');
  expect(await purge({ keys: [live] })).toMatchObject({ processed: 0, failed: 1 });
  expect(await purge({ query: {} })).toEqual({ results: [], processed: 450, failed: 0 });
  expect([await inTrash(user), await count(user), await inTrash(other)]).toEqual([0, 3, 2]);
});

it('offers deletions of several pictures as a whole, even of several requests, for as long as the trash keeps them', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const keys = await add(user, 8);
  const { undo } = await batch(user, { action: 'trash', keys: keys.slice(0, 2) });
  expect(await batch(user, { action: 'trash', keys: keys.slice(2, 4), continues: undo })).toMatchObject({ undo, processed: 2 });
  await batch(user, { action: 'trash', keys: [keys[4]] });
  await user.client.call(trashImage, { params: { key: keys[5] as string } });
  const second = await batch(user, { action: 'trash', keys: keys.slice(6) });
  expect(await batches(user)).toEqual([
    { undo: second.undo, count: 2, deleted_at: expect.any(String) },
    { undo, count: 4, deleted_at: expect.any(String) },
  ]);
  expect(await batches(other)).toEqual([]);
  expect(await code(batch(other, { action: 'restore', undo }))).toBe('not_found');
  expect(await batch(user, { action: 'restore', undo })).toMatchObject({ processed: 4, failed: 0 });
  expect(await batches(user)).toMatchObject([{ undo: second.undo }]);
});

it('offers the pictures that were deleted with their album as a whole', async () => {
  const user = await newUser();
  const { id } = await user.client.call(createAlbum, { body: { name: 'album' } });
  await add(user, 3, () => ({ album_id: id }));
  await user.client.call(deleteAlbum, { params: { id }, query: { images: 'trash' } });
  const [deletion] = await batches(user);
  expect(deletion).toMatchObject({ count: 3 });
  expect(await batch(user, { action: 'restore', undo: deletion?.undo })).toMatchObject({ processed: 3 });
  expect([await count(user), await inTrash(user)]).toEqual([3, 0]);
});

it('counts the pictures of each album', async () => {
  const user = await newUser();
  const album = async (name: string) => (await user.client.call(createAlbum, { body: { name } })).id;
  const [one, two] = [await album('one'), await album('two')];
  await add(user, 7, (index) => ({ album_id: index < 3 ? one : index < 5 ? two : null, ext: index ? 'jpg' : 'png' }));
  const counted = await user.client.call(countImages, { query: { by: 'album', type: 'jpg' } });
  expect(counted.count).toBe(6);
  expect(counted.albums?.sort((a, b) => (a.id === one ? -1 : b.id === one ? 1 : 0))).toEqual([
    { id: one, count: 2 },
    { id: two, count: 2 },
  ]);
  expect(await user.client.call(countImages, { query: {} })).not.toHaveProperty('albums');
});

it('shows nothing of the trash to anyone else', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const [key] = (await add(user, 2, () => ({ deleted_at: START }))) as [string];
  expect((await other.client.call(listImages, { query: { trash: 'true' } })).items).toEqual([]);
  expect((await other.client.call(listTrash, { query: {} })).items).toEqual([]);
  const paths = [
    'images?trash=true',
    'images/timeline?trash=true',
    'images/placeholders?trash=true',
    'images/count?trash=true',
    'trash/batches',
    `trash/${key}/thumbnail?w=1600`,
  ];
  for (const path of paths) expect([path, (await fetch(`${service.url}/api/v1/${path}`)).status]).toEqual([path, 401]);
  expect((await other.fetch(`/api/v1/trash/${key}/thumbnail?w=1600`)).status).toBe(404);
  expect((await user.fetch(`/api/v1/trash/${key}/thumbnail?w=17`)).status).toBe(400);
});

describe('undoing', async () => {
  const DAY = 86_400_000;
  const { service, owner } = await startFileService();
  const mia = await addUser(service, 'mia');
  const batch = (body: object, who: SignedIn = mia) => who.client.call(batchImages, { body: body as never });
  const undo = (token: string | undefined, who: SignedIn = mia) => batch({ action: 'undo', undo: token }, who);
  const add = (count: number, columns: object = {}) => withDatabase(service, (db) => addImageRows(db, mia.id, count, () => columns));
  const images = async (query: object) => (await mia.client.call(listImages, { query: { limit: 200, ...query } })).items;
  const makeAlbum = async (name: string) => (await mia.client.call(createAlbum, { body: { name } })).id;
  const change = (key: string, body: object) => mia.client.call(updateImage, { params: { key }, body });

  it('takes pictures back to the albums they came from, or into none if theirs is gone', async () => {
    const [here, gone, target] = [await makeAlbum('here'), await makeAlbum('gone'), await makeAlbum('target')];
    const keys = await add(4);
    const [one, two, three, four] = keys as [string, string, string, string];
    await batch({ action: 'move', album_id: here, keys: [one] });
    await batch({ action: 'move', album_id: gone, keys: [two] });
    await batch({ action: 'move', album_id: target, keys: [four] });
    const moved = await batch({ action: 'move', album_id: target, keys });
    expect((await images({ album_id: target })).length).toBe(4);
    await mia.client.call(deleteAlbum, { params: { id: gone }, query: {} });
    expect(await code(undo(moved.undo, owner))).toBe('not_found');
    // The fourth was there already, and stays.
    expect(await undo(moved.undo)).toEqual({ results: [], processed: 3, failed: 0 });
    expect((await images({ album_id: here })).map(({ key }) => key)).toEqual([one]);
    expect((await images({ album_id: target })).map(({ key }) => key)).toEqual([four]);
    const albums = new Map((await images({})).map(({ key, album_id }) => [key, album_id]));
    expect([albums.get(two), albums.get(three)]).toEqual([null, null]);
    expect(await code(undo(moved.undo))).toBe('not_found');
  });

  it('gives the pictures of a query their tags back, except where they were changed again', async () => {
    const keys = await add(450, { name: 'tagged.jpg', tags: '["old"]' });
    const { undo: token, processed } = await batch({ action: 'tag', tags: ['new', 'Old'], mode: 'add', query: { q: 'tagged' } });
    expect(processed).toBe(450);
    const [again, renamed, deleted] = keys as [string, string, string];
    await change(again, { tags: ['mine'] });
    await change(renamed, { title: 'A title' });
    await batch({ action: 'trash', keys: [deleted] });
    expect(await undo(token)).toMatchObject({ processed: 448, failed: 2 });
    expect(await images({ tag: 'new' })).toEqual([]);
    expect((await images({ tag: 'mine' })).map(({ key }) => key)).toEqual([again]);
    expect((await images({ q: 'title' })).map(({ key, tags }) => [key, tags])).toEqual([[renamed, ['old']]]);
  });

  it('takes back visibility and expiry, but brings back no picture that has expired', async () => {
    const [first, second] = (await add(2, { visibility: 'private' })) as [string, string];
    const published = await batch({ action: 'visibility', visibility: 'public', keys: [first, second] });
    await batch({ action: 'visibility', visibility: 'private', keys: [second] });
    await batch({ action: 'visibility', visibility: 'public', keys: [second] });
    expect(await undo(published.undo)).toMatchObject({ processed: 2 });
    const expiring = await batch({ action: 'expiry', expires_in: 3600, keys: [first, second] });
    await withDatabase(service, (db) =>
      db.as('job').write(async (queries) => {
        await queries.updateTable('images').set({ expires_at: 1 }).where('key', '=', second).execute();
        await queries
          .updateTable('batch_undo_values')
          .set({ after: '1' })
          .where('image_id', '=', (row) => row.selectFrom('images').select('id').where('key', '=', second))
          .execute();
      }),
    );
    expect(await undo(expiring.undo)).toMatchObject({ processed: 1, failed: 1 });
    const known = await images({ visibility: 'private' });
    expect(known.map(({ key, expires_at }) => [key, expires_at])).toEqual([[first, null]]);
  });

  it('takes back favourites of any number, but keeps what was one before', async () => {
    const [before, ...others] = (await add(3, { name: 'liked.jpg' })) as [string, string, string];
    await change(before, { favourite: true });
    const liked = await batch({ action: 'favourite', favourite: true, query: { q: 'liked' } });
    expect(liked).toMatchObject({ processed: 3, failed: 0 });
    expect((await images({ favourite: 'true' })).map(({ key }) => key).sort()).toEqual([before, ...others].sort());
    const removed = await batch({ action: 'favourite', favourite: false, query: { favourite: true } });
    expect(removed).toMatchObject({ processed: 3 });
    expect(await images({ favourite: 'true' })).toEqual([]);
    expect(await code(undo(removed.undo, owner))).toBe('not_found');
    expect(await undo(removed.undo)).toMatchObject({ processed: 3, failed: 0 });
    expect(await undo(liked.undo)).toMatchObject({ processed: 2, failed: 0 });
    expect((await images({ favourite: 'true' })).map(({ key }) => key)).toEqual([before]);
  });

  it('undoes a deletion, and offers nothing where nothing was changed', async () => {
    const keys = await add(3, { visibility: 'public' });
    expect((await batch({ action: 'visibility', visibility: 'public', keys })).undo).toBeUndefined();
    expect((await batch({ action: 'trash', keys: ['AAAAAAAAAAAA'] })).undo).toBeUndefined();
    const trashed = await batch({ action: 'trash', keys });
    expect(await code(undo(trashed.undo, owner))).toBe('not_found');
    expect(await undo(trashed.undo)).toMatchObject({ processed: 3, failed: 0 });
    expect(await code(undo('x'))).toBe('invalid_request');
  });

  it('remembers a user’s latest batches, for a day', async () => {
    const keys = await add(1);
    const tokens: (string | undefined)[] = [];
    for (let index = 0; index < 25; index += 1) tokens.push((await batch({ action: 'tag', tags: [`t${index}`], mode: 'set', keys })).undo);
    expect(await code(undo(tokens[4]))).toBe('not_found');
    expect(await undo(tokens[24])).toMatchObject({ processed: 1 });
    expect((await images({ tag: 't23' })).length).toBe(1);
    const count = (table: 'batch_undos' | 'batch_undo_values') =>
      withDatabase(service, async (db) => {
        const { n } = await db.read
          .selectFrom(table)
          .select((row) => row.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
        return n;
      });
    expect(await count('batch_undos')).toBe(19);
    await withDatabase(service, async (db) => {
      expect(await forgetUndos(db.as('job'), Date.now())).toBe(0);
      while ((await forgetUndos(db.as('job'), Date.now() + DAY + 60_000)) > 0);
    });
    expect([await count('batch_undos'), await count('batch_undo_values')]).toEqual([0, 0]);
  });
});
