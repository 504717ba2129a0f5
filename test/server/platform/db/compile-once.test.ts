import type { Insertable } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';

type Count = Insertable<Tables['daily_counts']>;

/** A database, and queries on its daily counts that note the keys with which they are built. */
async function openCounts() {
  const db = await openDatabase(await newDatabase());
  onTestFinished(() => db.close());
  const built: string[] = [];
  const find = compileOnce((queries, values: Partial<Count>) => {
    built.push(Object.keys(values).join());
    return queries
      .selectFrom('daily_counts')
      .select(['user_id', 'views', 'stored_bytes'])
      .where((row) => row.and(values))
      .where('uploads', '=', 1)
      .orderBy('user_id');
  });
  const insert = compileOnce((queries, row: Count) => queries.insertInto('daily_counts').values(row));
  const counted = { day: '2026-11-22', uploads: 1, upload_bytes: 5 };
  await db.as('job').write(async (queries) => {
    await insert(queries, { ...counted, user_id: 1, views: 10, stored_bytes: null });
    await insert(queries, { ...counted, user_id: 2, views: 20, stored_bytes: 7 });
  });
  return { db, built, find };
}

it('runs a query with the values of each call, and builds it once', async () => {
  const { db, built, find } = await openCounts();
  const [first, second] = [
    { user_id: 1, views: 10, stored_bytes: null },
    { user_id: 2, views: 20, stored_bytes: 7 },
  ];
  expect((await find(db.read, { user_id: 1 })).rows).toEqual([first]);
  expect((await find(db.read, { user_id: 2 })).rows).toEqual([second]);
  expect((await find(db.read, { user_id: 3 })).rows).toEqual([]);
  expect(built).toEqual(['user_id']);
});

it('builds it again for other keys', async () => {
  const { db, built, find } = await openCounts();
  expect((await find(db.read, { user_id: 1, views: 20 })).rows).toEqual([]);
  expect((await find(db.read, {})).rows).toHaveLength(2);
  expect((await find(db.read, { user_id: 2, views: 20 })).rows).toHaveLength(1);
  expect(built).toEqual(['user_id,views', '']);
});

it('reports the rows that a change has affected, and sees what its unit has written', async () => {
  const { db, find } = await openCounts();
  const rename = compileOnce((queries, { from, to }: { from: number; to: number }) =>
    queries.updateTable('daily_counts').set({ user_id: to }).where('user_id', '=', from),
  );
  await db.as('job').write(async (queries) => {
    expect((await rename(queries, { from: 1, to: 9 })).numAffectedRows).toBe(1n);
    expect((await rename(queries, { from: 1, to: 9 })).numAffectedRows).toBe(0n);
    expect((await find(queries, { user_id: 9 })).rows).toHaveLength(1);
    expect((await find(db.read, { user_id: 9 })).rows).toEqual([]);
  });
  expect((await find(db.read, { user_id: 9 })).rows).toHaveLength(1);
});

it('refuses an undefined value, which Kysely would leave out', async () => {
  const { db, find } = await openCounts();
  expect(() => find(db.read, { user_id: 1, views: undefined })).toThrow('views is undefined');
});
