import { expect, it } from 'vitest';
import { changeAlbum, createAlbum, getAlbum } from '#api/albums/albums.ts';
import { orderAlbumImages } from '#api/albums/pictures.ts';
import { batchImages } from '#api/images/changes.ts';
import { keepDuplicate, listDuplicates, reviewDuplicates } from '#api/images/duplicates.ts';
import { getImage, listImages, trashImage } from '#api/images/images.ts';
import { groupAlike, type Likeness } from '#server/features/gallery/alike.ts';
import { differentBits } from '#test/helpers/pictures/pixels.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
const SAME = 'ab'.repeat(32);
const keys = await withDatabase(service, async (db) => {
  const images = [
    { name: 'sea.jpg', phash: '0123456789abcdef' },
    { name: 'twice.png', phash: 'ffff0000ffff0000', sha256: SAME },
    { name: 'sea small.jpg', phash: '0123456789abcdec' },
    { name: 'alone.jpg', phash: '00ff00ff00ff00ff' },
    { name: 'twice again.png', phash: 'ffff0000ffff0000', sha256: SAME },
    { name: 'sea deleted.jpg', phash: '0123456789abcdef', deleted_at: 1 },
    { name: 'sea expired.jpg', phash: '0123456789abcdef', expires_at: 1 },
    { name: 'not compared.jpg', phash: null },
  ];
  const own = await addImageRows(db, 1, images.length, (index) => images[index] ?? {});
  // What another user has stored is nobody else's duplicate.
  const [foreign] = await addImageRows(db, other.id, 1, () => ({ name: 'sea of bert.jpg', phash: '0123456789abcdef', sha256: SAME }));
  return { own, foreign: foreign as string };
});

const list = (query = {}, who = owner) => who.client.call(listDuplicates, { query });
const named = async (query = {}) => (await list(query)).items.map(({ kind, images }) => [kind, ...images.map(({ name }) => name)]);
const review = (own: number[], different?: boolean) =>
  owner.client.call(reviewDuplicates, { body: { keys: own.map((index) => keys.own[index] as string), different } });

const SEA = ['alike', 'sea.jpg', 'sea small.jpg'];
const TWICE = ['exact', 'twice.png', 'twice again.png'];

it('lists one’s own pictures that are stored twice or look alike, outside the trash', async () => {
  expect(await named()).toEqual([TWICE, SEA]);
  expect(await list()).toMatchObject({ count: 2, waiting: 1, next_cursor: null });
  expect(await list({}, other)).toEqual({ items: [], count: 0, waiting: 0, next_cursor: null });
});

it('pages through the groups', async () => {
  const first = await list({ limit: 1 });
  expect(first).toMatchObject({ count: 2, items: [{ kind: 'exact' }], next_cursor: expect.any(String) });
  const second = await list({ limit: 1, cursor: first.next_cursor });
  expect(second).toMatchObject({ count: 2, items: [{ kind: 'alike' }], next_cursor: null });
  expect((await owner.fetch('/api/v1/images/duplicates?cursor=x')).status).toBe(400);
});

it('remembers which pictures are different, until another one is alike', async () => {
  await review([0, 2]);
  await review([0, 2]);
  expect(await named()).toEqual([TWICE]);
  const [added] = await withDatabase(service, (db) => addImageRows(db, 1, 1, () => ({ name: 'sea new.jpg', phash: '0123456789abcdef' })));
  expect(await named()).toEqual([[...SEA, 'sea new.jpg'], TWICE]);
  await owner.client.call(trashImage, { params: { key: added as string } });
  expect(await named()).toEqual([TWICE]);
  await review([0, 2], false);
  expect(await named()).toEqual([TWICE, SEA]);
});

it('still remembers the rest of a group that loses a picture, but not a picture whose file was replaced', async () => {
  const twin = await withDatabase(service, (db) => addImageRows(db, 1, 1, () => ({ name: 'sea twin.jpg', phash: '0123456789abcdee' })));
  await owner.client.call(reviewDuplicates, { body: { keys: [keys.own[0] as string, keys.own[2] as string, ...twin] } });
  expect(await named()).toEqual([TWICE]);
  await owner.client.call(trashImage, { params: { key: twin[0] as string } });
  expect(await named()).toEqual([TWICE]);
  await withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .updateTable('images')
        .set({ sha256: 'cd'.repeat(32) })
        .where('key', '=', keys.own[2] as string)
        .execute(),
    ),
  );
  expect(await list()).toMatchObject({ count: 1, waiting: 2 });
  await withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .updateTable('images')
        .set({ phash: '0123456789abcdef' })
        .where('key', '=', keys.own[2] as string)
        .execute(),
    ),
  );
  expect(await named()).toEqual([TWICE, SEA]);
});

it('is closed to guests and upload tokens, and reviews nobody else’s pictures', async () => {
  const token = await owner.token('upload');
  const body = JSON.stringify({ keys: keys.own.slice(0, 2) });
  const headers = { 'content-type': 'application/json' };
  for (const [path, init] of [
    ['duplicates', {}],
    ['duplicates/review', { method: 'POST', body, headers }],
    ['duplicates/keep', { method: 'POST', body: JSON.stringify({ key: keys.own[0], delete: [keys.own[2]] }), headers }],
  ] as const) {
    expect((await fetch(`${service.url}/api/v1/images/${path}`, init)).status).toBe(401);
    const limited = await fetch(`${service.url}/api/v1/images/${path}`, {
      ...init,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    expect(limited.status).toBe(403);
  }
  const foreign = other.client.call(reviewDuplicates, { body: { keys: [keys.foreign, keys.own[0] as string] } });
  await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
});

it('finds the groups once for all pages, and again when the library changes', async () => {
  const [first] = await withDatabase(service, (db) =>
    addImageRows(db, other.id, 4, (index) => ({ phash: index < 2 ? '00000000000000ff' : 'ff00000000000000' })),
  );
  const page = await list({ limit: 1 }, other);
  expect(page).toMatchObject({ count: 2, waiting: 0 });
  // Hashes alone don't change a library's version.
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.updateTable('images').set({ phash: '' }).where('owner_id', '=', other.id).execute()),
  );
  expect((await list({ limit: 1, cursor: page.next_cursor }, other)).items).toHaveLength(1);
  await other.client.call(trashImage, { params: { key: first as string } });
  expect(await list({}, other)).toMatchObject({ items: [], count: 0 });
});

it('lets the kept picture take the places of the others in albums, and as the cover, until that is undone', async () => {
  const carla = await addUser(service, 'carla');
  const album = await carla.client.call(createAlbum, { body: { name: 'Holiday', visibility: 'public' } });
  const other = await carla.client.call(createAlbum, { body: { name: 'Other' } });
  const [kept = '', dropped = '', before = ''] = await withDatabase(service, (db) =>
    addImageRows(db, carla.id, 3, (index) => ({ name: `${index}.jpg`, sha256: SAME, album_id: index === 0 ? other.id : album.id })),
  );
  const params = { id: album.id };
  await carla.client.call(orderAlbumImages, { params, body: { keys: [before], before: dropped } });
  await carla.client.call(changeAlbum, { params, body: { cover_key: dropped } });
  const inAlbum = async () =>
    (await carla.client.call(listImages, { query: { album_id: album.id, sort: 'album_order' } })).items.map(({ key }) => key);
  const cover = async () => (await carla.client.call(getAlbum, { params })).cover_key;
  expect([await inAlbum(), await cover()]).toEqual([[before, dropped], dropped]);
  const { undo, processed } = await carla.client.call(keepDuplicate, { body: { key: kept, delete: [dropped, dropped] } });
  expect(processed).toBe(1);
  expect([await inAlbum(), await cover()]).toEqual([[before, kept], kept]);
  expect(await carla.client.call(getImage, { params: { key: kept } })).toMatchObject({ albums: [other.id, album.id] });
  const undone = await carla.client.call(batchImages, { body: { action: 'undo', undo: undo as string } });
  expect(undone).toMatchObject({ processed: 1, failed: 0 });
  expect([await inAlbum(), await cover()]).toEqual([[before, dropped], dropped]);
  expect(await carla.client.call(getImage, { params: { key: kept } })).toMatchObject({ albums: [other.id] });
  await expect(carla.client.call(batchImages, { body: { action: 'undo', undo: undo as string } })).rejects.toMatchObject({
    code: 'not_found',
  });
  // Without the places, it is a deletion like any other.
  await carla.client.call(keepDuplicate, { body: { key: kept, delete: [dropped], take_places: false } });
  expect(await inAlbum()).toEqual([before]);
});

it('keeps and deletes nobody else’s pictures, nor the only copy', async () => {
  const [own = ''] = keys.own;
  const keep = (key: string, others: string[]) => owner.client.call(keepDuplicate, { body: { key, delete: others } });
  for (const call of [keep(own, [keys.foreign]), keep(keys.foreign, [own]), keep(own, [own])])
    await expect(call).rejects.toMatchObject({ code: 'not_found' });
  expect(await owner.client.call(getImage, { params: { key: own } })).toMatchObject({ deleted_at: null });
});

/** A hash with some bits of another one turned. */
const turned = (phash: string, bits: readonly number[]) =>
  bits
    .reduce((hash, bit) => hash ^ (1n << BigInt(bit)), BigInt(`0x${phash}`))
    .toString(16)
    .padStart(16, '0');
const BASE = '0123456789abcdef';
const images = (...hashes: (string | null)[]): Likeness[] =>
  hashes.map((phash, index) => ({ id: index + 1, sha256: `file ${index}`, phash }));

it.each([
  ['none', []],
  ['one bit', [0]],
  ['six in one band', [0, 1, 2, 3, 4, 5]],
  ['six in all bands', [0, 1, 17, 33, 34, 63]],
  ['six in the last two bands', [48, 49, 50, 32, 33, 34]],
])('groups hashes that differ in %s', async (_, bits) => {
  expect(await groupAlike(images(BASE, turned(BASE, bits)))).toEqual([[1, 2]]);
});

it.each([
  ['seven in one band', [0, 1, 2, 3, 4, 5, 6]],
  ['seven in all bands', [0, 1, 17, 18, 33, 34, 63]],
])('keeps hashes apart that differ in %s', async (_, bits) => {
  expect(await groupAlike(images(BASE, turned(BASE, bits)))).toEqual([]);
});

it('finds the same as comparing every pair', async () => {
  const random = (seed: number) => () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const next = random(7);
  const hashes: string[] = [];
  for (let index = 0; index < 300; index++) {
    const known = hashes[Math.floor(next() * hashes.length)];
    const bits = Array.from({ length: Math.floor(next() * 9) }, () => Math.floor(next() * 64));
    hashes.push(
      known && next() < 0.5 ? turned(known, bits) : Array.from({ length: 16 }, () => Math.floor(next() * 16).toString(16)).join(''),
    );
  }
  const expected: number[][] = [];
  const grouped = new Set<number>();
  for (const [index, hash] of hashes.entries()) {
    if (grouped.has(index)) continue;
    const group = hashes.flatMap((other, at) => (at >= index && !grouped.has(at) && differentBits(hash, other) <= 6 ? [at] : []));
    for (const at of group) grouped.add(at);
    if (group.length > 1) expected.push(group.map((at) => at + 1));
  }
  const sorted = (groups: number[][]) => groups.toSorted(([a = 0], [b = 0]) => a - b);
  expect(expected.length).toBeGreaterThan(20);
  expect(sorted(await groupAlike(images(...hashes)))).toEqual(expected);
});

it('groups the same bytes without a hash, and nothing else without one', async () => {
  const [first, second, third, fourth] = images(null, null, '', '') as [Likeness, Likeness, Likeness, Likeness];
  const same = { ...fourth, sha256: third.sha256 };
  expect(await groupAlike([first, second, third, same])).toEqual([[3, 4]]);
});

it('has all images of a group alike to its first one, and up to 50 in a group', async () => {
  const chain = [BASE, turned(BASE, [0, 1, 2, 3]), turned(BASE, [0, 1, 2, 3, 20, 21, 22, 23])];
  expect(await groupAlike(images(...chain))).toEqual([[1, 2]]);
  const groups = await groupAlike(images(...Array.from({ length: 120 }, () => BASE)));
  expect(groups.map(({ length }) => length)).toEqual([50, 50, 20]);
});
