import { describe, expect, it } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { openDatabase } from '#server/platform/db/database.ts';
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
