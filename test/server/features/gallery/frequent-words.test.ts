import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { latestUpload, listOwnImages, walkOwnImages } from '#server/features/gallery/list.ts';
import type { ImageFilter, ImageFilters } from '#server/features/gallery/list-query.ts';
import { readPlaceholders, readTimeline } from '#server/features/gallery/timeline.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { newPostgresDatabase, onPostgres } from '#test/helpers/service/data/database.ts';
import { imageRows } from '#test/helpers/service/data/library.ts';

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
