import type { Insertable } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';

const open = async () => openDatabase(await newDatabase());
const names = async (db: Awaited<ReturnType<typeof open>>) =>
  (await db.read.selectFrom('settings').select('name').orderBy('name').execute()).map((row) => row.name);

it('isolates write units: a failing one rolls back only itself', async () => {
  const db = await open();
  const unit = (name: string, fail = false) =>
    db.as('job').write(async (queries) => {
      await writeSettings(queries, { [name]: true } as object);
      if (fail) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([unit('a'), unit('b', true), unit('c')]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await names(db)).toEqual(['a', 'c']);
  await db.close();
});

it('shows readers committed data only', async () => {
  const db = await open();
  await db.as('job').write(async (queries) => {
    await writeSettings(queries, { site_name: 'Later' });
    expect(await names(db)).toEqual([]);
  });
  expect(await names(db)).toEqual(['site_name']);
  await db.close();
});

it('rejects writes through the read connection', async () => {
  const db = await open();
  await expect(writeSettings(db.read, { site_name: 'x' })).rejects.toThrow(/read-?only/i);
  await db.close();
});

it('completes pending writes before closing', async () => {
  const target = await newDatabase();
  const db = await openDatabase(target);
  const pending = db.as('job').write((queries) => writeSettings(queries, { site_name: 'kept' }));
  await db.close();
  await pending;
  const again = await openDatabase(target);
  expect(await names(again)).toEqual(['site_name']);
  await again.close();
});

it('counts the units that wait, including those of the commit that runs', async () => {
  const db = await open();
  expect(db.queued()).toBe(0);
  let duringFirst = 0;
  const first = db.as('job').write(async () => {
    await db.read.selectFrom('settings').select('name').execute();
    duringFirst = db.queued();
  });
  const second = db.as('job').write(async () => undefined);
  expect(db.queued()).toBe(2);
  await Promise.all([first, second]);
  expect([duringFirst, db.queued()]).toEqual([2, 0]);
  await db.close();
});

it('rejects a database written by a newer version', async () => {
  const path = await newDatabase();
  const db = await openDatabase(path);
  await db.as('job').write((queries) =>
    queries
      .insertInto('kysely_migration' as never)
      .values({ name: '999-from-the-future', timestamp: '2099-01-01' } as never)
      .execute(),
  );
  await db.close();
  await expect(openDatabase(path)).rejects.toThrow(/newer version/);
});

describe('the cache', () => {
  const siteName = (db: Awaited<ReturnType<typeof open>>) => {
    let reads = 0;
    const ask = () =>
      db.cached('site name', async () => {
        reads++;
        return (await db.read.selectFrom('settings').select('value').where('name', '=', 'site_name').executeTakeFirst())?.value;
      });
    return { ask, reads: () => reads };
  };
  const rename = (db: Awaited<ReturnType<typeof open>>, site_name: string) =>
    db.as('job').write((queries) => writeSettings(queries, { site_name }));

  it('reads a value once until a write', async () => {
    const db = await open();
    const name = siteName(db);
    expect([await name.ask(), await name.ask(), name.reads()]).toEqual([undefined, undefined, 1]);
    await db.close();
  });

  it('reads it again after any write', async () => {
    const db = await open();
    const name = siteName(db);
    await name.ask();
    await rename(db, 'New');
    expect(await name.ask()).toBe('"New"');
    await db.as('job').write((queries) => queries.deleteFrom('sessions').execute());
    await rename(db, 'Newer');
    expect([await name.ask(), name.reads()]).toEqual(['"Newer"', 3]);
    await db.close();
  });

  it('reads it again after a write by another process', async () => {
    const path = await newDatabase();
    const [db, other] = [await openDatabase(path), await openDatabase(path)];
    const name = siteName(db);
    await name.ask();
    await rename(other, 'From elsewhere');
    await expect.poll(name.ask).toBe('"From elsewhere"');
    await Promise.all([db.close(), other.close()]);
  });

  it('discards a value if a write happens during the read', async () => {
    const db = await open();
    const before = await db.cached('slow', async () => {
      await rename(db, 'Meanwhile');
      return 'from before';
    });
    expect([before, await db.cached('slow', async () => 'from after')]).toEqual(['from before', 'from after']);
    await db.close();
  });
});

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
