import { expect, it } from 'vitest';
import { IMAGE_SORTS, type Image, listImages, listTags, trashImage } from '#api/images/images.ts';
import { restoreTrash } from '#api/images/trash.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
const keys = await withDatabase(service, async (db) => {
  // Values repeat on purpose: pages must not lose or repeat pictures with equal values.
  const ours = await addImageRows(db, 1, 60, (index) => ({
    name: `${(index % 8 < 4 ? ['Sonne', '北京风景', 'IMG_20241101', 'Éclair'] : ['sonne', '北京风景', 'img_20241101', 'Éclair'])[index % 4]} ${index % 7}.jpg`,
    created_at: START + (index % 10) * DAY,
    taken_at: START - (index % 6) * DAY,
    size: 1000 + (index % 5),
    ext: index % 3 ? 'jpg' : 'png',
    visibility: index % 2 ? 'private' : 'public',
    favourite: index % 20 === 0 ? 1 : 0,
    tags: JSON.stringify(index % 15 === 0 ? ['旅行', 'Sea'] : []),
  }));
  await addImageRows(db, other.id, 5, () => ({ name: '北京风景 of bert.jpg', tags: '["旅行"]', favourite: 1 }));
  await addImageRows(db, 1, 2, () => ({ name: '北京风景 gone.jpg', deleted_at: START }));
  await addImageRows(db, 1, 2, () => ({ name: '北京风景 expired.jpg', expires_at: START }));
  await addImageRows(db, 1, 1, () => ({ name: '北京风景 emptied.jpg', expires_at: START, emptied_at: START }));
  return ours;
});

type Query = Omit<Parameters<typeof list>[0], never>;
const list = async (query: { [name: string]: unknown }, who = owner) =>
  (await who.client.call(listImages, { query: { limit: 200, ...query } as never })).items;

async function walk(query: Query, limit: number): Promise<Image[]> {
  const all: Image[] = [];
  let cursor: string | undefined;
  do {
    const page = await owner.client.call(listImages, { query: { ...query, limit, cursor } as never });
    all.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return all;
}

it.each(IMAGE_SORTS)('pages through all pictures once, sorted by %s, whatever the page size', async (sort) => {
  const whole = await list({ sort });
  expect(new Set(whole.map(({ key }) => key))).toEqual(new Set(keys));
  const column = { uploaded: 'created_at', taken: 'taken_at', name: 'name', size: 'size' }[sort.split('_')[0] as 'name'] as 'name';
  const values = whole.map((image) => (column === 'name' ? image.name.toLowerCase() : image[column]));
  const sign = sort.endsWith('asc') ? 1 : -1;
  expect(
    values.every(
      (value, at) => at === 0 || sign * (value > (values[at - 1] as string) ? 1 : value < (values[at - 1] as string) ? -1 : 0) >= 0,
    ),
  ).toBe(true);
  for (const limit of [1, 7, 60]) expect((await walk({ sort }, limit)).map(({ key }) => key)).toEqual(whole.map(({ key }) => key));
});

it.each([
  ['a word', 'sonne', 15],
  ['a part of a word', 'onn', 15],
  ['a Chinese word of two characters', '风景', 15],
  ['one Chinese character', '京', 15],
  ['the last character of a word', '景', 15],
  ['letters without their accents', 'eclair', 15],
  ['other capital letters', 'img_2024', 15],
  ['several words in any order', 'jpg 北京', 15],
  ['a number at the end of a word', '3.jpg', 9],
  ['a tag', '旅行', 4],
  ['part of a tag', 'SE', 4],
  ['no match', '京北', 0],
  ['signs of the search language', '" OR *', 0],
  ['only an accent', '\u0301', 0],
])('finds %s', async (_what, q, amount) => {
  expect(await list({ q })).toHaveLength(amount);
});

it('finds its picture from a pasted link of any kind, and from a key', async () => {
  const [key] = keys as [string];
  const pasted = [key, `http://old.example:1234/i/${key}.png`, `![x](${service.url}/t/${key}.jpg?w=400)`, `${service.url}/s/${key}`];
  for (const q of pasted) expect((await list({ q })).map((image) => image.key)).toEqual([key]);
  expect(await list({ q: `${service.url}/s/${key}` }, other)).toEqual([]);
});

it('filters by visibility, type, favourite, tag and dates, and combinations', async () => {
  expect(await list({ visibility: 'private' })).toHaveLength(30);
  expect(await list({ type: 'png' })).toHaveLength(20);
  expect(await list({ type: 'jpeg' })).toHaveLength(40);
  expect(await list({ favourite: true })).toHaveLength(3);
  expect(await list({ favourite: false })).toHaveLength(57);
  expect(await list({ tag: '旅行' })).toHaveLength(4);
  expect(await list({ tag: '旅行', favourite: true, visibility: 'public' })).toHaveLength(1);
  expect(await list({ from: '2024-01-02', to: '2024-01-03' })).toHaveLength(12);
  expect(await list({ from: '2024-01-02T00:00:00+00:00', to: '2024-01-03T00:00:00Z' })).toHaveLength(6);
  expect(await list({ sort: 'taken_desc', from: '2024-01-01' })).toHaveLength(10);
  expect(await list({ date: 'taken', to: '2023-12-27' })).toHaveLength(10);
});

it('lists certain pictures, without those in the trash or of other users', async () => {
  const [one, two, ...rest] = keys as [string, string, ...string[]];
  const foreign = (await list({}, other))[0]?.key as string;
  const trashed = rest.at(-1) as string;
  await owner.client.call(trashImage, { params: { key: trashed } });
  const asked = [two, foreign, trashed, one, 'unknownkey12'].join(',');
  expect(new Set((await list({ keys: asked })).map(({ key }) => key))).toEqual(new Set([one, two]));
  expect((await list({ keys: asked, trash: true })).map(({ key }) => key)).toEqual([trashed]);
  await owner.client.call(restoreTrash, { body: { keys: [trashed] } });
});

it("doesn't show other users' pictures and tags", async () => {
  expect((await list({}, other)).every(({ name }) => name.endsWith('of bert.jpg'))).toBe(true);
  expect(await list({ q: '风景' }, other)).toHaveLength(5);
  expect((await other.client.call(listTags, { query: {} })).items).toEqual([{ tag: '旅行', image_count: 5 }]);
  const first = await owner.client.call(listTags, { query: { limit: 1 } });
  const second = await owner.client.call(listTags, { query: { limit: 1, cursor: first.next_cursor as string } });
  expect([...first.items, ...second.items]).toEqual([
    { tag: 'Sea', image_count: 4 },
    { tag: '旅行', image_count: 4 },
  ]);
  expect(second.next_cursor).toBeNull();
});

it('is closed to guests and upload tokens', async () => {
  const token = await owner.token('upload');
  for (const path of ['images', 'tags', 'trash', 'images/AAAAAAAAAAAA/views', 'images/download?keys=AAAAAAAAAAAA', 'user/export']) {
    expect((await fetch(`${service.url}/api/v1/${path}`)).status).toBe(401);
    const response = await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect([path, response.status]).toEqual([path, 403]);
  }
});

it.each([
  'cursor=abc',
  'cursor=WyJ4IiwxXQ',
  'sort=x',
  'limit=0',
  'limit=201',
  'album_id=x',
  'type=..',
  'from=yesterday',
  'favourite=maybe',
])('refuses %s', async (query) => {
  const response = await owner.fetch(`/api/v1/images?${query}`);
  expect(response.status).toBe(400);
  expect((await response.json()).data).toMatchObject({ code: 'invalid_request', field: query.split('=')[0] });
});
