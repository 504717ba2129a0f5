import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { batchImages } from '#api/images/changes.ts';
import { countImages, listImages } from '#api/images/images.ts';
import { getTimeline, listMonths } from '#api/images/timeline.ts';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { latestUpload, listOwnImages, walkOwnImages } from '#server/features/gallery/list.ts';
import type { ImageFilter, ImageFilters } from '#server/features/gallery/list-query.ts';
import { readPlaceholders, readTimeline } from '#server/features/gallery/timeline.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { newPostgresDatabase, onPostgres } from '#test/helpers/service/data/database.ts';
import { addImageRows, imageRows } from '#test/helpers/service/data/library.ts';
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

describe('frequent words', () => {
  /** Enough that a search gives up on the matches nearby where the order of the list isn't that of the uploads. */
  const AMOUNT = 10_500;
  const HOUR = 3_600_000;

  let folder: string;
  let db: Database;
  let owner: number;
  let other: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
    db = await openDatabase(onPostgres ? await newPostgresDatabase() : join(folder, 'pixdock.db'));
    [owner, other] = await db.as('job').write(async (queries) => {
      const { id: groupId } = await groupOfKind(queries, 'default');
      const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false, groupId };
      const [ann, bob] = [
        await insertUser(queries, { username: 'ann', ...rest }, 1),
        await insertUser(queries, { username: 'bob', ...rest }, 1),
      ];
      return [ann.id, bob.id];
    });
    const rows = imageRows(owner, AMOUNT, (index) => ({
      // Every fiftieth is another user's.
      owner_id: index % 50 === 1 ? other : owner,
      name: `${index % 4 ? 'meadow' : 'harbour'} ${index}.jpg`,
      // Roughly in the order of upload, with equal values.
      created_at: HOUR * Math.floor((index + (index % 50)) / 3),
      // In no order.
      size: (index * 7_919) % 997,
      thumbhash: `hash${index}`,
      deleted_at: index % 1_000 === 0 ? HOUR : null,
    }));
    await db.as('job').write(async (queries) => {
      for (let from = 0; from < AMOUNT; from += 500)
        await queries
          .insertInto('images')
          .values(rows.slice(from, from + 500))
          .execute();
    });
  });
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });

  /** All pages of a list. */
  async function pages(filter: Partial<ImageFilter>, limit: number, ownerId = owner) {
    const all: { key: string; name: string }[] = [];
    let cursor: string | undefined;
    do {
      const page = await listOwnImages(db, ownerId, { sort: 'uploaded_desc', ...filter, limit, cursor }, HOUR);
      all.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    return all.map(({ key, name }) => `${name} ${key}`);
  }

  /** The range of ids that each read of the search index was for, oldest first. */
  function searchedRanges() {
    const executed = vi.spyOn(db.read.getExecutor(), 'executeQuery');
    onTestFinished(() => executed.mockRestore());
    return () =>
      executed.mock.calls
        .filter(([{ sql }]) => /^\s*select (rowid|image_id) from "?image_search/.test(sql))
        .map(([{ parameters }]) => parameters.slice(-3, -1) as [number, number]);
  }

  it.each([
    ['uploaded_desc', 'harbour', 1],
    ['uploaded_asc', 'harbour', 1],
    ['size_desc', 'harbour', 1],
    ['size_desc', 'jpg', 20],
  ] as const)('lists all matches of a frequent word once, sorted by %s: %s', async (sort, q, share) => {
    const expected = (await pages({ sort }, 5_000)).filter((name) => name.includes(q));
    expect(expected.length).toBeGreaterThan(1_000);
    expect(await pages({ sort, q }, 100 * share)).toEqual(expected);
  });

  it('finds no other user’s pictures, and nothing where another filter matches nothing', async () => {
    const theirs = await pages({ q: 'meadow' }, 500, other);
    expect(theirs).toHaveLength(AMOUNT / 50);
    expect((await pages({ q: 'meadow' }, 500)).filter((name) => theirs.includes(name))).toEqual([]);
    expect(await pages({ q: 'harbour', tag: 'unused' }, 100)).toEqual([]);
    expect(await pages({ q: 'harbour', favourite: true }, 100)).toEqual([]);
  });

  it('finds a frequent word in the text of pictures, too', async () => {
    const row = await db.read.selectFrom('images').select('id').where('name', '=', 'meadow 10002.jpg').executeTakeFirst();
    const { id = 0 } = row ?? {};
    const text = { image_id: id, text: 'To the harbour', lines: '[]', language: 'en' as const, recognized_at: 1 };
    await db.as('job').write((queries) => queries.insertInto('image_texts').values(text).execute());
    onTestFinished(async () => void (await db.as('job').write((queries) => queries.deleteFrom('image_texts').execute())));
    const found = await pages({ q: 'harbour' }, 100);
    expect(found.filter((name) => name.startsWith('meadow'))).toEqual([expect.stringContaining('meadow 10002.jpg')]);
    expect(found.length).toBeGreaterThan(2_000);
  });

  it('ends a page where the web application says', async () => {
    const all = await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 150 }, HOUR);
    const until = (await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 100 }, HOUR)).next_cursor ?? undefined;
    const page = await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 500, until }, HOUR);
    expect(page.items.map(({ key }) => key)).toEqual(all.items.slice(0, 100).map(({ key }) => key));
    expect(page.next_cursor).toBeNull();
  });

  it('reads only the matches near a page in the order of upload', async () => {
    const ranges = searchedRanges();
    await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 100 }, HOUR);
    const [whether, [from, to] = [], ...further] = ranges();
    expect(whether?.[0]).toBe(0);
    expect(Number(to) - Number(from)).toBeLessThan(5_300);
    expect(further).toEqual([]);
  });

  it('looks for pictures of other times on a page on their own', async () => {
    const found = await db.read.selectFrom('images').select(['id', 'created_at']).where('name', '=', 'harbour 4.jpg').execute();
    const { id = 0, created_at = 0 } = found[0] ?? {};
    const dateTo = (moment: number) =>
      db.as('job').write((queries) => queries.updateTable('images').set({ created_at: moment }).where('id', '=', id).execute());
    await dateTo(HOUR * AMOUNT);
    onTestFinished(async () => void (await dateTo(created_at)));
    const ranges = searchedRanges();
    const { items } = await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 100 }, HOUR);
    expect([items.length, items[0]?.id]).toEqual([100, id]);
    const [, alone, nearby, ...further] = ranges();
    expect([alone, further]).toEqual([[id, id], []]);
    expect(Number(nearby?.[1]) - Number(nearby?.[0])).toBeLessThan(5_300);
  });

  it('reads only the matches near a page for its placeholders, too', async () => {
    const pictures = await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 150 }, HOUR);
    const ranges = searchedRanges();
    const filter = { sort: 'uploaded_desc', q: 'harbour' } as const;
    const first = await readPlaceholders(db, owner, { ...filter, limit: 100 }, HOUR);
    const second = await readPlaceholders(db, owner, { ...filter, limit: 50, cursor: first.next_cursor ?? undefined }, HOUR);
    expect([...first.items, ...second.items]).toEqual(pictures.items.map(({ thumbhash }) => thumbhash));
    const nearby = ranges().filter(([from]) => from > 0);
    expect(nearby).toHaveLength(2);
    for (const [from, to] of nearby) expect(Number(to) - Number(from)).toBeLessThan(5_300);
  });

  it('reads the matches of a frequent word once for everything that it finds', async () => {
    const expected = (await pages({ q: 'harbour', sort: 'uploaded_asc' }, 200)).sort();
    const ranges = searchedRanges();
    const { count } = await readTimeline(db, owner, { sort: 'uploaded_desc', q: 'harbour', time_zone: 'UTC' }, HOUR);
    expect(count).toBe(expected.length);
    expect((await walked({ q: 'harbour' }, await latestUpload(db))).sort()).toEqual(expected);
    // For each of the two, once whether there are many, and once all.
    expect(ranges()).toHaveLength(4);
  });

  it('walks only what was there at a given moment, and what the other filters select', async () => {
    const last = await latestUpload(db);
    const early = await walked({ q: 'harbour' }, last - AMOUNT / 2);
    const all = await walked({ q: 'harbour' }, last);
    expect(early.length).toBeGreaterThan(1_000);
    expect(early.length).toBeLessThan(all.length * 0.6);
    expect(all).toEqual(expect.arrayContaining(early));
    expect(await walked({ q: 'harbour', favourite: true }, last)).toEqual([]);
  });

  async function walked(filters: ImageFilters, upTo: number) {
    const found: string[] = [];
    for await (const rows of walkOwnImages(db, owner, filters, upTo)) found.push(...rows.map(({ key, name }) => `${name} ${key}`));
    return found;
  }
});
