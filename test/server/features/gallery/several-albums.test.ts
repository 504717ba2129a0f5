import { describe, expect, it } from 'vitest';
import { changeAlbum, createAlbum, deleteAlbum, getAlbum, listPublicAlbumImages } from '#api/albums/albums.ts';
import { addToAlbum, orderAlbumImages, removeFromAlbum } from '#api/albums/pictures.ts';
import { createClient } from '#api/client.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { getImage, listImages, trashImage } from '#api/images/images.ts';
import { getTimeline, listPlaceholders } from '#api/images/timeline.ts';
import { restoreTrash } from '#api/images/trash.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bea = await addUser(service, 'bea');
const carl = await addUser(service, 'carl');
const visitor = createClient({ baseUrl: service.url });

const newAlbum = async (user = bea, body: object = {}) => (await user.client.call(createAlbum, { body: { name: 'Sea', ...body } })).id;
/** Pictures that were uploaded at 1, 2, 3 … */
const rows = (amount: number, fields: object = {}) =>
  withDatabase(service, (db) =>
    addImageRows(db, bea.id, amount, (index) => ({ created_at: index + 1, taken_at: index + 1, name: `row ${index}.jpg`, ...fields })),
  );
const get = (key: string) => bea.client.call(getImage, { params: { key } });
const albumsOf = async (key: string) => (await get(key)).albums;
const inAlbum = async (album_id: string, query: { sort?: 'album_order'; limit?: number } = { sort: 'album_order' }) =>
  (await bea.client.call(listImages, { query: { album_id, ...query } })).items.map(({ key }) => key);
const countOf = async (id: string) => (await bea.client.call(getAlbum, { params: { id } })).image_count;
const add = (id: string, body: object) => bea.client.call(addToAlbum, { params: { id }, body });
const remove = (id: string, body: object) => bea.client.call(removeFromAlbum, { params: { id }, body });
const order = (id: string, keys: string[], before: string | null) =>
  bea.client.call(orderAlbumImages, { params: { id }, body: { keys, before } });
const code = async (call: Promise<unknown>) => call.then(String, (error: { code?: string }) => error.code);

describe('a picture in several albums', () => {
  it('is added and removed by keys or by query, and stays in its other albums', async () => {
    const [one, two] = [await newAlbum(), await newAlbum()];
    const [first = '', second = '', third = ''] = await rows(3, { album_id: one });
    const added = await add(two, { keys: [first, second, first] });
    expect(added).toMatchObject({ processed: 2, failed: 0, undo: expect.any(String) });
    expect([await get(first), await get(third)]).toMatchObject([
      { album_id: one, albums: [one, two] },
      { album_id: one, albums: [one] },
    ]);
    expect([await countOf(one), await countOf(two), await inAlbum(two)]).toEqual([3, 2, [second, first]]);
    expect(await add(two, { query: { album_id: one }, except_keys: [third] })).toMatchObject({ processed: 2 });
    expect((await add(two, { query: { album_id: one } })).undo).toEqual(expect.any(String));
    expect(await countOf(two)).toBe(3);
    // Those outside the album aren't affected.
    expect(await remove(one, { query: {} })).toMatchObject({ processed: 3 });
    expect([await countOf(one), await get(first)]).toMatchObject([0, { album_id: two, albums: [two] }]);
    expect(await remove(two, { keys: [first] })).toMatchObject({ processed: 1 });
    expect(await get(first)).toMatchObject({ album_id: null, albums: [] });
  });

  it('is moved out of its first album only, and out of all with null', async () => {
    const [one, two, three] = [await newAlbum(), await newAlbum(), await newAlbum()];
    const [key = ''] = await rows(1, { album_id: one });
    await add(two, { keys: [key] });
    const change = (body: object) => bea.client.call(updateImage, { params: { key }, body });
    expect(await change({ album_id: three })).toMatchObject({ album_id: three, albums: [three, two] });
    expect(await change({ album_id: two })).toMatchObject({ album_id: two, albums: [two] });
    expect(await change({ albums: [three, one, two, one] })).toMatchObject({
      album_id: two,
      albums: [two, expect.any(String), expect.any(String)],
    });
    expect(new Set(await albumsOf(key))).toEqual(new Set([one, two, three]));
    expect(await change({ albums: [one, three] })).toMatchObject({ album_id: one });
    expect(await change({ albums: [one, two] })).toMatchObject({ albums: [one, two] });
    expect(await change({ name: 'Sea.jpg' })).toMatchObject({ album_id: one });
    expect(await code(change({ album_id: one, albums: [one] }))).toBe('invalid_request');
    expect(await code(change({ albums: [one, await newAlbum(carl)] }))).toBe('album_not_found');
    expect(await change({ album_id: null })).toMatchObject({ album_id: null, albums: [] });
    expect([await countOf(one), await countOf(two), await countOf(three)]).toEqual([0, 0, 0]);
  });

  it('gets all its albums and places back when a batch is undone', async () => {
    const [one, two, three] = [await newAlbum(), await newAlbum(), await newAlbum()];
    const keys = await rows(3, { album_id: one });
    const [first = '', second = ''] = keys;
    await add(two, { keys: [first, second] });
    await order(one, [first], second);
    await order(two, [first], second);
    const sorted = await inAlbum(one);
    for (const act of [
      () => bea.client.call(batchImages, { body: { action: 'move', keys, album_id: null } }),
      () => bea.client.call(batchImages, { body: { action: 'move', keys, album_id: three } }),
      () => remove(one, { query: {} }),
      () => add(three, { keys }),
    ]) {
      const { undo = '' } = await act();
      expect(await bea.client.call(batchImages, { body: { action: 'undo', undo } })).toMatchObject({ processed: 3, failed: 0 });
      expect(await get(first)).toMatchObject({ album_id: one, albums: [one, two] });
      expect([await inAlbum(one), await inAlbum(two), await countOf(three)]).toEqual([sorted, [first, second], 0]);
    }
    // Not where they have been changed since, and not into an album that no longer exists.
    const { undo = '' } = await bea.client.call(batchImages, { body: { action: 'move', keys: [first, second], album_id: null } });
    await add(three, { keys: [second] });
    await bea.client.call(deleteAlbum, { params: { id: one }, query: {} });
    expect(await bea.client.call(batchImages, { body: { action: 'undo', undo } })).toMatchObject({ processed: 1, failed: 1 });
    expect([await albumsOf(first), await albumsOf(second)]).toEqual([[two], [three]]);
  });

  it('keeps its places in the trash', async () => {
    const [one, two] = [await newAlbum(), await newAlbum()];
    const [key = ''] = await rows(1, { album_id: one });
    await add(two, { keys: [key] });
    await bea.client.call(trashImage, { params: { key } });
    expect([await countOf(one), await countOf(two), await inAlbum(two)]).toEqual([0, 0, []]);
    await bea.client.call(restoreTrash, { body: { keys: [key] } });
    expect([await countOf(one), await countOf(two), await inAlbum(two)]).toEqual([1, 1, [key]]);
  });

  it('stays in the others when one album is deleted', async () => {
    const [one, two, three] = [await newAlbum(), await newAlbum(), await newAlbum()];
    const [key = ''] = await rows(1, { album_id: one });
    for (const id of [two, three]) await add(id, { keys: [key] });
    await bea.client.call(deleteAlbum, { params: { id: one }, query: {} });
    expect(await get(key)).toMatchObject({ album_id: two, albums: [two, three] });
    await bea.client.call(deleteAlbum, { params: { id: three }, query: { images: 'trash' } });
    expect([await code(get(key)), await countOf(two)]).toEqual(['not_found', 0]);
  });

  it('is found by the names of all its albums', async () => {
    const [one, two] = [await newAlbum(bea, { name: 'Lighthouses' }), await newAlbum(bea, { name: 'Winter walks' })];
    const [key = ''] = await rows(1, { album_id: one });
    await add(two, { keys: [key] });
    const find = async (q: string) => (await bea.client.call(listImages, { query: { q } })).items.map((item) => item.key);
    expect([await find('lighthouse'), await find('winter walk'), await find('lighthouse winter')]).toEqual([[key], [key], [key]]);
    await remove(one, { keys: [key] });
    expect([await find('lighthouse'), await find('winter walk')]).toEqual([[], [key]]);
  });
});

describe('the order of an album', () => {
  it('is the newest first until pictures are moved, for its owner and its visitors', async () => {
    const id = await newAlbum(bea, { visibility: 'public' });
    const other = await newAlbum(bea, { visibility: 'public' });
    const keys = (await rows(6, { album_id: id })).toReversed() as [string, string, string, string, string, string];
    const [a, b, c, d, e, f] = keys;
    await add(other, { keys });
    const shown = async () => (await visitor.call(listPublicAlbumImages, { params: { id }, query: {} })).items.map(({ key }) => key);
    const expectOrder = async (expected: string[]) => expect([await inAlbum(id), await shown()]).toEqual([expected, expected]);
    await expectOrder(keys);
    await order(id, [f], a);
    await expectOrder([f, a, b, c, d, e]);
    await order(id, [b, a], null);
    await expectOrder([f, c, d, e, b, a]);
    await order(id, [a, c], d);
    await expectOrder([f, a, c, d, e, b]);
    // Again and again into the same place, where there's soon no space.
    for (const key of Array.from({ length: 40 }, (_, index) => keys[index % 5] as string).filter((key) => key !== d))
      await order(id, [key], d);
    const before = [f, a, b, c, e, d];
    await expectOrder(before);
    const [late = ''] = await rows(1);
    await add(id, { keys: [late] });
    await expectOrder([late, ...before]);
    expect(await inAlbum(other)).toEqual(keys);
    // By time of upload, as the rest of the library.
    expect(new Set(await inAlbum(id, {}))).toEqual(new Set([...keys, late]));
    expect(await bea.client.call(changeAlbum, { params: { id }, body: { sorted: false } })).toMatchObject({ sorted: false });
    expect((await inAlbum(id)).filter((key) => key !== late)).toEqual(keys);
  });

  it('has pages, a timeline and placeholders of its own', async () => {
    const id = await newAlbum();
    const keys = (await rows(230, { album_id: id, created_at: 5 })).toSorted((one, two) => (one < two ? 1 : -1));
    expect(await inAlbum(id, { sort: 'album_order', limit: 200 })).toEqual(keys.slice(0, 200));
    const moved = keys.at(-1) as string;
    await order(id, [moved], keys[1] as string);
    const sorted = [keys[0], moved, ...keys.slice(1, -1)];
    const timeline = await bea.client.call(getTimeline, { query: { album_id: id, sort: 'album_order' } });
    expect(timeline).toMatchObject({ count: 230, months: [{ month: null, count: 230 }] });
    const [cursor, until] = timeline.cursors as [string, string];
    const query = { album_id: id, sort: 'album_order' as const, limit: 200 };
    const pages = [{ until: cursor }, { cursor, until }, { cursor: until }];
    const found = [];
    for (const page of pages)
      found.push(...(await bea.client.call(listImages, { query: { ...query, ...page } })).items.map(({ key }) => key));
    expect(found).toEqual(sorted);
    const { items } = await bea.client.call(listPlaceholders, { query: { ...query, cursor: until, limit: 1_000 } });
    expect(items.length).toBe(30);
    expect(await code(bea.client.call(listImages, { query: { sort: 'album_order' } }))).toBe('invalid_request');
  });

  it('is kept when one place runs out of space', async () => {
    const id = await newAlbum();
    const [last = '', ...others] = await rows(25, { album_id: id });
    for (const key of others) await order(id, [key], last);
    expect(await inAlbum(id)).toEqual([...others, last]);
  });

  it('begins with what is put into a sorted album, the latest upload first, and follows the uploads otherwise', async () => {
    const [sorted, plain] = [await newAlbum(), await newAlbum()];
    const [a = '', b = '', c = '', d = '', e = ''] = await rows(5);
    for (const id of [sorted, plain]) await add(id, { keys: [d, e] });
    await order(sorted, [d], e);
    for (const id of [sorted, plain]) await add(id, { keys: [a, b] });
    await bea.client.call(batchImages, { body: { action: 'move', keys: [c], album_id: sorted } });
    expect([await inAlbum(sorted), await inAlbum(plain)]).toEqual([
      [c, b, a, d, e],
      [e, d, b, a],
    ]);
  });

  it('is as before once a move is undone, except for pictures that have been moved again', async () => {
    const id = await newAlbum();
    const [a = '', b = '', c = '', d = '', e = ''] = (await rows(5, { album_id: id })).toReversed();
    const takeBack = (undo: string | undefined, who = bea) =>
      who.client.call(batchImages, { body: { action: 'undo', undo: undo ?? '' } }).then(({ processed, failed }) => [processed, failed]);
    const state = async () => [await inAlbum(id), (await bea.client.call(getAlbum, { params: { id } })).sorted];
    const first = await order(id, [e, d], b);
    expect(await state()).toEqual([[a, e, d, b, c], true]);
    expect(await order(id, [e], c)).toEqual({ undo: expect.any(String) });
    expect(await code(takeBack(first.undo, carl))).toBe('not_found');
    // The place of `e` is another one by now.
    expect(await takeBack(first.undo)).toEqual([1, 1]);
    expect(await state()).toEqual([[a, b, e, c, d], true]);
    expect(await code(takeBack(first.undo))).toBe('not_found');
    const toEnd = await order(id, [a], null);
    const [late = ''] = await rows(1);
    await add(id, { keys: [late] });
    expect(await takeBack(toEnd.undo)).toEqual([1, 0]);
    expect(await state()).toEqual([[late, a, b, e, c, d], true]);
    // Until nothing has been moved.
    await remove(id, { keys: [late, e] });
    const only = await order(id, [d], a);
    await bea.client.call(trashImage, { params: { key: d } });
    expect(await takeBack(only.undo)).toEqual([1, 0]);
    await bea.client.call(restoreTrash, { body: { keys: [d] } });
    expect(await state()).toEqual([[a, b, c, d], false]);
    const gone = await order(id, [d], a);
    await bea.client.call(deleteAlbum, { params: { id }, query: {} });
    expect(await takeBack(gone.undo)).toEqual([0, 1]);
  });

  it('can’t be given with pictures that aren’t in the album', async () => {
    const [one, two] = [await newAlbum(), await newAlbum()];
    const [inOne = '', inTwo = ''] = [...(await rows(1, { album_id: one })), ...(await rows(1, { album_id: two }))];
    expect(await code(order(one, [inTwo], inOne))).toBe('not_found');
    expect(await code(order(one, [inOne], inTwo))).toBe('not_found');
    expect(await code(order(one, [inOne], inOne))).toBe('invalid_request');
    expect(await code(order(one, [inOne, inOne], null))).toBe('invalid_request');
  });
});

describe('an upload into several albums', () => {
  const upload = (token: string, bytes: Uint8Array, fields: Record<string, string>) => uploadImage(service, token, bytes, fields);

  it('adds them to a repeat, except with an upload token', async () => {
    const [one, two, three] = [await newAlbum(), await newAlbum(), await newAlbum()];
    const [full, only] = [await bea.token('full'), await bea.token('upload')];
    const bytes = await photoJpeg({ seed: 71 });
    const first = await upload(full, bytes, { albums: `${one}, ${two}` });
    expect(first).toMatchObject({ reused: false, album_id: one, albums: [one, two] });
    expect(await upload(full, bytes, { albums: three })).toMatchObject({ key: first.key, reused: true, album_id: one });
    expect(new Set(await albumsOf(first.key))).toEqual(new Set([one, two, three]));
    expect(await upload(only, bytes, { albums: `${two},${three}` })).toMatchObject({ key: first.key, reused: true });
    const another = await newAlbum();
    const second = await upload(only, bytes, { albums: `${two},${another}` });
    expect([second.reused, second.key === first.key]).toEqual([false, false]);
    // A single album is a condition, as it has always been.
    expect(await upload(full, bytes, { album_id: two })).toMatchObject({ reused: true });
    expect((await upload(full, bytes, { album_id: await newAlbum() })).reused).toBe(false);
  });

  it('is refused with albums of others, with both kinds of fields, and for guests', async () => {
    const [own, others] = [await newAlbum(), await newAlbum(carl)];
    const token = await bea.token('upload');
    const bytes = await photoJpeg({ seed: 72 });
    expect(await code(upload(token, bytes, { albums: `${own},${others}` }))).toBe('album_not_found');
    expect(await code(upload(token, bytes, { albums: `${own},nonsense` }))).toBe('album_not_found');
    expect(await code(upload(token, bytes, { albums: own, album_id: own }))).toBe('invalid_request');
    expect(await upload(token, bytes, { albums: '' })).toMatchObject({ albums: [] });
  });
});

describe('others', () => {
  it('can’t add to an album, remove from it or sort it, whichever role they have', async () => {
    const id = await newAlbum(bea, { visibility: 'public' });
    const [key = '', next = ''] = await rows(2, { album_id: id });
    for (const { client } of [carl, owner, { client: visitor }]) {
      const body = { keys: [key] };
      const refused = [
        await code(client.call(addToAlbum, { params: { id }, body })),
        await code(client.call(removeFromAlbum, { params: { id }, body })),
        await code(client.call(orderAlbumImages, { params: { id }, body: { ...body, before: next } })),
      ];
      expect(new Set(refused)).toEqual(new Set([client === visitor ? 'unauthorized' : 'not_found']));
    }
    const carls = await newAlbum(carl, { visibility: 'public' });
    expect(await carl.client.call(addToAlbum, { params: { id: carls }, body: { keys: [key] } })).toMatchObject({
      processed: 0,
      failed: 1,
      results: [{ key, ok: false, code: 'not_found' }],
    });
    expect(await carl.client.call(addToAlbum, { params: { id: carls }, body: { query: { album_id: id } } })).toMatchObject({
      processed: 0,
    });
    expect(await inAlbum(id)).toEqual([next, key]);
  });

  it('see in each public album what they could open on their own, and not which other albums it is in', async () => {
    const open = await newAlbum(bea, { visibility: 'public' });
    const locked = await newAlbum(bea, { visibility: 'public', access_password: 'sesame' });
    const hidden = await newAlbum();
    const [shown = ''] = await rows(1);
    const [secret = ''] = await rows(1, { visibility: 'private' });
    for (const id of [open, locked, hidden]) await add(id, { keys: [shown, secret] });
    const page = await visitor.call(listPublicAlbumImages, { params: { id: open }, query: {} });
    expect(page.items.map(({ key }) => key)).toEqual([shown]);
    expect(JSON.stringify(page)).not.toMatch(new RegExp(`${locked}|${hidden}|${secret}`));
    expect(await code(visitor.call(listPublicAlbumImages, { params: { id: locked }, query: {} }))).toBe('password_required');
    expect(await code(visitor.call(listPublicAlbumImages, { params: { id: hidden }, query: {} }))).toBe('not_found');
  });
});
