import { expect, it } from 'vitest';
import { createAlbum, deleteAlbum } from '#api/albums/albums.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { forgetUndos } from '#server/features/gallery/undo.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const DAY = 86_400_000;
const { service, owner } = await startFileService();
const mia = await addUser(service, 'mia');
const batch = (body: object, who: SignedIn = mia) => who.client.call(batchImages, { body: body as never });
const undo = (token: string | undefined, who: SignedIn = mia) => batch({ action: 'undo', undo: token }, who);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );
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
