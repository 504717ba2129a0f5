import { expect, it } from 'vitest';
import { batchImages } from '#api/images/changes.ts';
import { countImages, listImages } from '#api/images/images.ts';
import { getTimeline, listMonths } from '#api/images/timeline.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const MB = 1024 ** 2;
const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
const album = await owner.client.call('POST /albums', { body: { name: 'Summer in Tōkyō' } });
await withDatabase(service, async (db) => {
  const day = (date: string) => Date.parse(`${date}T12:00:00Z`);
  const images = [
    { name: 'peregrine-falcon.png', ext: 'png', taken_at: day('2007-03-01'), size: 100 },
    { name: 'boat.jpg', taken_at: day('2019-05-14'), size: 6 * MB, album_id: album.id, tags: '["Work","two words"]' },
    { name: 'IMG_2007.jpg', taken_at: day('2019-05-31'), size: 5 * MB },
    { name: '屏幕快照.png', ext: 'png', taken_at: day('2019-06-01'), size: 200 },
    { name: 'Screenshot.webp', ext: 'webp', taken_at: day('2020-01-01'), size: 300, album_id: album.id },
    { name: 'loop', ext: 'gif', taken_at: day('2020-01-02'), size: 400, title: 'Take #2', tags: '["work"]' },
    { name: 'gone flacons.jpg', taken_at: day('2020-01-03'), deleted_at: day('2020-01-04') },
  ];
  await addImageRows(db, 1, images.length, (index) => images[index] ?? {});
  await addImageRows(db, other.id, 1, () => ({ name: 'sparrow.jpg', taken_at: day('2019-05-02'), size: 9 * MB }));
});

const found = async (query: object, who = owner) =>
  (await who.client.call(listImages, { query: query as never })).items.map(({ name }) => name);

const CASES = [
  ['2007', ['IMG_2007.jpg', 'peregrine-falcon.png']],
  ['May 2019', ['IMG_2007.jpg', 'boat.jpg']],
  ['2019年5月', ['IMG_2007.jpg', 'boat.jpg']],
  ['2019-05-14', ['boat.jpg']],
  ['May 2019 2007', ['IMG_2007.jpg']],
  ['gif', ['loop']],
  ['screenshot', ['Screenshot.webp', '屏幕快照.png']],
  ['截图', ['Screenshot.webp', '屏幕快照.png']],
  ['tokyo', ['Screenshot.webp', 'boat.jpg']],
  ['boat tokyo 2019', ['boat.jpg']],
  ['> 5 MB', ['IMG_2007.jpg', 'boat.jpg']],
  ['< 300 KB png', ['屏幕快照.png', 'peregrine-falcon.png']],
  ['boat > 7 MB', []],
  ['#work', ['loop', 'boat.jpg']],
  ['tag:WORK > 1 MB', ['boat.jpg']],
  ['标签:"two words"', ['boat.jpg']],
  ['#work 2019 boat', ['boat.jpg']],
  ['#wor', []],
  ['#2', ['loop']],
  // One edit: swapped, missing, added, wrong; also in the middle, where neither half is right.
  ['flacon', ['peregrine-falcon.png']],
  ['falon', ['peregrine-falcon.png']],
  ['fallcon', ['peregrine-falcon.png']],
  ['falcin', ['peregrine-falcon.png']],
  ['faclon', ['peregrine-falcon.png']],
  ['peregrime flacon 2007', ['peregrine-falcon.png']],
  ['flacno', []],
  ['baot', []],
  ['sparow', []],
] as const;

it.each(CASES)('finds by “%s” in lists, the timeline, counts and batches alike', async (q, names) => {
  const query = { q, date: 'taken' } as const;
  expect(await found(query)).toEqual(names);
  expect((await owner.client.call(getTimeline, { query })).count).toBe(names.length);
  const { count, as_of } = await owner.client.call(countImages, { query });
  expect(count).toBe(names.length);
  const { processed } = await owner.client.call(batchImages, {
    body: { action: 'visibility', visibility: 'public', query: { ...query, as_of } },
  });
  expect(processed).toBe(names.length);
});

it('searches for the dates that the list is sorted by, as its headings are, unless others are asked for', async () => {
  const [year, month] = new Date().toISOString().split('-');
  const all = ['loop', 'Screenshot.webp', '屏幕快照.png', 'IMG_2007.jpg', 'boat.jpg', 'peregrine-falcon.png'];
  for (const q of [`${year}-${month}`, 'this month', '今年']) {
    expect(await found({ q })).toEqual(all);
    expect(await found({ q, sort: 'name_asc' })).toHaveLength(all.length);
    expect(await found({ q, sort: 'taken_desc' })).toEqual([]);
    expect((await owner.client.call(getTimeline, { query: { q, by: 'taken' } })).count).toBe(0);
    expect((await owner.client.call(countImages, { query: { q } })).count).toBe(all.length);
  }
  expect(await found({ q: '2007' })).toEqual(['IMG_2007.jpg']);
  expect(await found({ q: '2007', sort: 'taken_asc' })).toEqual(['peregrine-falcon.png', 'IMG_2007.jpg']);
  expect(await found({ q: '2007', sort: 'taken_asc', date: 'uploaded' })).toEqual(['IMG_2007.jpg']);
});

it('names the words that it searched for instead', async () => {
  const similar = async (q: string) => (await owner.client.call(getTimeline, { query: { q } })).similar;
  expect([await similar('flacon'), await similar('falcon'), await similar('nothing')]).toEqual([['falcon'], [], []]);
});

it('filters by size', async () => {
  expect(await found({ min_size: 5 * MB + 1 })).toEqual(['boat.jpg']);
  expect(await found({ min_size: 300, max_size: 400 })).toEqual(['loop', 'Screenshot.webp']);
  expect(await found({ q: '> 1 KB', max_size: 5 * MB })).toEqual(['IMG_2007.jpg']);
  const body = { action: 'favourite' as const, favourite: true, query: { min_size: 6 * MB } };
  expect((await owner.client.call(batchImages, { body })).processed).toBe(1);
});

it('filters by the year or month in which pictures were taken', async () => {
  expect([await found({ taken: '2007' }), await found({ taken: '2019-05' }), await found({ taken: '2019-04' })]).toEqual([
    ['peregrine-falcon.png'],
    ['IMG_2007.jpg', 'boat.jpg'],
    [],
  ]);
  expect((await owner.fetch('/api/v1/images?taken=2019-13')).status).toBe(400);
});

it('finds by the present name of an album, also after the timeline was cached', async () => {
  const timeline = () => owner.fetch('/api/v1/images/timeline?q=kyoto');
  const before = await timeline();
  await owner.client.call('PATCH /albums/:id', { params: { id: album.id }, body: { name: 'Kyoto' } });
  expect(await found({ q: 'kyoto' })).toEqual(['Screenshot.webp', 'boat.jpg']);
  expect((await timeline()).headers.get('etag')).not.toBe(before.headers.get('etag'));
  await owner.client.call(batchImages, { body: { action: 'move', album_id: null, query: { q: 'boat' } } });
  expect(await found({ q: 'kyoto' })).toEqual(['Screenshot.webp']);
});

it('lists the months of one’s own pictures outside the trash', async () => {
  expect((await owner.client.call(listMonths, {})).months).toEqual(['2020-01', '2019-06', '2019-05', '2007-03']);
  expect((await other.client.call(listMonths, {})).months).toEqual(['2019-05']);
});
