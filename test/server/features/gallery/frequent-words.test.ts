import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { latestUpload, listOwnImages, walkOwnImages } from '#server/features/gallery/list.ts';
import type { ImageFilter } from '#server/features/gallery/list-query.ts';
import { readTimeline } from '#server/features/gallery/timeline.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { newPostgresDatabase, onPostgres } from '#test/helpers/database.ts';
import { imageRows } from '#test/helpers/library.ts';

const search = vi.hoisted(() => ({ ranges: [] as (readonly number[] | undefined)[] }));
vi.mock('#server/platform/db/dialect.ts', async (original) => {
  const actual = await original<typeof import('#server/platform/db/dialect.ts')>();
  const findMatches: typeof actual.findMatches = (...parameters) => {
    search.ranges.push(parameters[4]);
    return actual.findMatches(...parameters);
  };
  return { ...actual, findMatches };
});

/** Enough that a search gives up on the matches nearby where the order of the list isn't that of the uploads. */
const AMOUNT = 10_500;
const HOUR = 3_600_000;

let folder: string;
let db: Database;
let owner: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  db = await openDatabase(onPostgres ? await newPostgresDatabase() : join(folder, 'pixdock.db'));
  owner = await db.write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false, groupId };
    return (await insertUser(queries, { username: 'ann', ...rest }, 1)).id;
  });
  const rows = imageRows(owner, AMOUNT, (index) => ({
    name: `${index % 4 ? 'meadow' : 'harbour'} ${index}.jpg`,
    // Roughly in the order of upload, with equal values.
    created_at: HOUR * Math.floor((index + (index % 50)) / 3),
    // In no order.
    size: (index * 7_919) % 997,
    deleted_at: index % 1_000 === 0 ? HOUR : null,
  }));
  await db.write(async (queries) => {
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
async function pages(filter: Partial<ImageFilter>, limit: number) {
  const all: { key: string; name: string }[] = [];
  let cursor: string | undefined;
  do {
    const page = await listOwnImages(db, owner, { sort: 'uploaded_desc', ...filter, limit, cursor }, HOUR);
    all.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return all.map(({ key, name }) => `${name} ${key}`);
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

it('reads only the matches near a page in the order of upload', async () => {
  search.ranges.length = 0;
  await listOwnImages(db, owner, { sort: 'uploaded_desc', q: 'harbour', limit: 100 }, HOUR);
  const [, [from = 0, to = Infinity] = [], ...further] = search.ranges;
  expect(to - from).toBeLessThan(5_200);
  expect(further).toEqual([]);
});

it('reads the matches of a frequent word once for everything that it finds', async () => {
  const expected = (await pages({ q: 'harbour', sort: 'uploaded_asc' }, 200)).sort();
  search.ranges.length = 0;
  const { count } = await readTimeline(db, owner, { sort: 'uploaded_desc', q: 'harbour', time_zone: 'UTC' }, HOUR);
  expect(count).toBe(expected.length);
  const walked: string[] = [];
  for await (const rows of walkOwnImages(db, owner, { q: 'harbour' }, await latestUpload(db)))
    walked.push(...rows.map(({ key, name }) => `${name} ${key}`));
  expect(walked.sort()).toEqual(expected);
  // For each of the two, once whether there are many, and once all.
  expect(search.ranges).toHaveLength(4);
});
