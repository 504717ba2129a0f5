import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IMAGE_SORTS } from '#api/images/images.ts';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { ownImages } from '#server/core/images/images.ts';
import { likenessesAfter } from '#server/features/gallery/duplicates.ts';
import { type NarrowedFilter, ownImagesQueries } from '#server/features/gallery/list-query.ts';
import { liveImages } from '#server/features/sent/boxes.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { encodeCursor } from '#server/platform/db/page.ts';
import { imageRows } from '#test/helpers/service/data/library.ts';

interface Compilable {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
}

/** Runs queries on the file of a database and counts the rows of a table that SQLite reads for them, however it goes about it. */
function countRowsRead(path: string, table: 'images' | 'image_tags', ...queries: Compilable[]): { returned: number; read: number } {
  const file = new Sqlite(path, { readonly: true });
  let read = 0;
  file.function('count_read', (_id) => {
    read++;
    return 1;
  });
  // Hides the table: its condition comes before those of a query, so it counts each row that no index has excluded.
  file.exec(`create temp view ${table} as select * from main.${table} where count_read(owner_id)`);
  const returned = queries.flatMap((query) => {
    const { sql, parameters } = query.compile();
    return file.prepare(sql).all(...parameters);
  }).length;
  file.close();
  return { returned, read };
}

const AMOUNT = 1_200;
const LIMIT = 50;
const ALBUM = 'AAAAAAAAAA';
/** Every fortieth picture of the owner is in an album, a favourite and tagged. */
const SPECIAL = AMOUNT / 40;

let db: Database;
let folder: string;
let owner: number;
let path: string;
let keys: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  path = join(folder, 'pixdock.db');
  db = await openDatabase(path);
  await db.as('job').write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false, groupId };
    owner = (await insertUser(queries, { username: 'ann', ...rest }, 1)).id;
    const other = (await insertUser(queries, { username: 'bob', ...rest }, 1)).id;
    const album = { id: ALBUM, owner_id: owner, name: 'Sea', description: '', visibility: 'private' as const, password_hash: null };
    await queries
      .insertInto('albums')
      .values({ ...album, cover_key: null, position: 1, created_at: 1, updated_at: 1 })
      .execute();
    const pictures = imageRows(owner, 2 * AMOUNT, (index) => {
      // Many have the same values.
      const value = index - (index % 800);
      const common = { created_at: value, taken_at: value, size: value, name: `meadow ${value}.jpg` };
      if (index % 2) return { ...common, owner_id: other, favourite: 0, tags: '[]' };
      if (index % 80) return { ...common, favourite: 0, tags: '[]' };
      return { ...common, favourite: 1, tags: '["sea"]', album_id: ALBUM };
    });
    keys = pictures.filter(({ owner_id }) => owner_id === owner).map(({ key }) => key);
    for (let from = 0; from < pictures.length; from += 400)
      await queries
        .insertInto('images')
        .values(pictures.slice(from, from + 400))
        .execute();
  });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const queriesOf = (filter: Partial<NarrowedFilter>) =>
  ownImagesQueries(db, owner, { sort: 'uploaded_desc', limit: LIMIT, ...filter }, Date.now());
const readBy = (filter: Partial<NarrowedFilter>) => countRowsRead(path, 'images', ...queriesOf(filter));

it.each(IMAGE_SORTS)('reads only its page when sorted by %s, first and deep', (sort) => {
  expect(readBy({ sort })).toEqual({ returned: LIMIT + 1, read: LIMIT + 1 });
  const middle = encodeCursor([sort === 'name_asc' ? 'meadow 800.jpg' : 800, 1_200]);
  const deep = readBy({ sort, cursor: middle });
  expect(deep.returned).toBeGreaterThan(LIMIT);
  expect(deep.read).toBe(deep.returned);
});

it('walks the list in order, up to a given moment', () => {
  expect(readBy({ sort: 'uploaded_asc', upTo: AMOUNT })).toEqual({ returned: LIMIT + 1, read: LIMIT + 1 });
});

it.each(['uploaded_desc', 'taken_asc'] as const)('reads the timeline from the index alone, sorted by %s', async (sort) => {
  const column = sort.startsWith('taken') ? 'taken_at' : 'created_at';
  for (const query of queriesOf({ sort, limit: 4_000, cursor: encodeCursor([5, 9]) })) {
    const steps = await query.clearSelect().select(['id', column, 'width', 'height']).explain(undefined, sql`query plan`);
    expect((steps as { detail: string }[]).map(({ detail }) => detail)).toEqual([expect.stringContaining('COVERING INDEX')]);
  }
});

it('reads only what was sent at once, not all of its sender', async () => {
  const sent = 'S'.repeat(22);
  await db.as('job').write(async (queries) => {
    await queries.insertInto('sendings').values({ id: sent, sender_id: owner, message: '', image_count: 3, created_at: 1 }).execute();
    const ids = (await queries.selectFrom('images').select('id').where('owner_id', '=', owner).limit(3).execute()).map(({ id }) => id);
    await queries
      .insertInto('sending_images')
      .values(ids.map((image_id, position) => ({ sending_id: sent, image_id, position })))
      .execute();
  });
  const query = liveImages(db.read)
    .selectAll('images')
    .where('sending_images.sending_id', 'in', [sent, 'T'.repeat(22)]);
  expect(countRowsRead(path, 'images', query)).toEqual({ returned: 3, read: 3 });
});

it('reads only the pictures of a batch', () => {
  const some = keys.slice(0, 500);
  expect(countRowsRead(path, 'images', ownImages(db.read, owner, 'key', some))).toEqual({ returned: 500, read: 500 });
  const ids = Array.from({ length: 500 }, (_, index) => 2 * index + 1);
  expect(countRowsRead(path, 'images', ownImages(db.read, owner, 'id', ids))).toEqual({ returned: 500, read: 500 });
});

it('reads only the rows between two cursors', () => {
  const [cursor, until] = [encodeCursor([1_600, 1_601]), encodeCursor([800, 801])];
  expect(readBy({ cursor, until, limit: AMOUNT })).toEqual({ returned: 400, read: 400 });
});

it.each([
  ['the album', { album_id: ALBUM }],
  ['the favourites', { favourite: true }],
])('reads only the pictures of %s', (_name, filter) => {
  expect(readBy(filter)).toEqual({ returned: SPECIAL, read: SPECIAL });
});

it('reads only the rows of a tag', () => {
  expect(countRowsRead(path, 'image_tags', ...queriesOf({ tag: 'sea' }))).toEqual({ returned: SPECIAL, read: SPECIAL });
});

it('goes straight to the few pictures that match a search', () => {
  expect(readBy({ ids: [1, 3, 5] })).toEqual({ returned: 3, read: 3 });
});

it('goes straight to the pictures that are asked for', () => {
  expect(readBy({ keys: keys.slice(0, 20) })).toEqual({ returned: 20, read: 20 });
});

it('reads only its page of an album', () => {
  expect(readBy({ album_id: ALBUM, limit: 5, cursor: encodeCursor([1_600, 1]) })).toEqual({ returned: 6, read: 6 });
});

it('reads what duplicates are found by in slices, without all images for each', async () => {
  const rows = await likenessesAfter(db.read, owner, 2, { size: -1, id: 0 }).limit(LIMIT).execute();
  const second = likenessesAfter(db.read, owner, 2, rows.at(-1) ?? { size: 0, id: 0 }).limit(LIMIT);
  // Those of the same size that came before are read again.
  expect(countRowsRead(path, 'images', second)).toEqual({ returned: LIMIT, read: 2 * LIMIT });
  expect(new Set([...rows, ...(await second.execute())].map(({ id }) => id)).size).toBe(2 * LIMIT);
});
