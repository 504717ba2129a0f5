import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { type Database, openDatabase, type Queries } from '#server/platform/db/database.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { keyOf, tableNames } from '#server/platform/db/schema/tables.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const SMALL = { isSmall: true };

async function open(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  const db = await openDatabase(join(folder, 'pixdock.db'));
  onTestFinished(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });
  return db;
}

/** Whether SQLite keeps what it would undo in memory. */
async function isInMemory(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ temp_store: number }>`select temp_store from pragma_temp_store`.execute(queries);
  return rows[0]?.temp_store === 2;
}

it('keeps in memory what units would undo while all units of a commit are small', async () => {
  const db = await open();
  expect(await db.as('job').write(isInMemory, SMALL)).toBe(true);
  expect(await db.as('job').write(isInMemory)).toBe(false);
  expect(await Promise.all([db.as('job').write(isInMemory, SMALL), db.as('job').write(isInMemory, SMALL)])).toEqual([true, true]);
  expect(await Promise.all([db.as('job').write(isInMemory, SMALL), db.as('job').write(isInMemory)])).toEqual([false, false]);
});

it('undoes a small unit that fails, and only that', async () => {
  const db = await open();
  const unit = (site_name: string, fails = false) =>
    db.as('job').write(async (queries) => {
      await writeSettings(queries, { site_name });
      if (fails) throw new Error(site_name);
      return site_name;
    }, SMALL);
  const results = await Promise.allSettled([unit('first'), unit('second', true)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await db.read.selectFrom('settings').select('value').executeTakeFirst()).toEqual({ value: '"first"' });
});

it('rejects every unit of a commit with the reason when the disk is full, and works again afterwards', async () => {
  const db = await openDatabase(join(temporaryFolder(), 'pixdock.db'));
  const names = async () => (await db.read.selectFrom('settings').select('name').orderBy('name').execute()).map((row) => row.name);
  const limitPages = (count: number) =>
    db.as('job').write((queries) => sql`pragma max_page_count = ${sql.raw(String(count))}`.execute(queries));
  const unit = (name: string, bytes: number) =>
    db.as('job').write((queries) => writeSettings(queries, { [name]: 'x'.repeat(bytes) } as object));
  await limitPages(1);
  const results = await Promise.allSettled([unit('a', 1), unit('b', 1_000_000), unit('c', 1)]);
  expect(results.map((result) => result.status === 'rejected' && databaseFault(result.reason))).toEqual(['full', 'full', 'full']);
  expect(await names()).toEqual([]);
  await limitPages(1_000_000);
  await unit('b', 1_000_000);
  expect(await names()).toEqual(['b']);
  await db.close();
});

it('lists all tables with their primary keys, each behind those it refers to', async () => {
  const db = await openDatabase(join(temporaryFolder(), 'pixdock.db'));
  const select = async (text: string) => (await sql.raw<{ name: string }>(text).execute(db.read)).rows.map(({ name }) => name);
  const tables = await select("select name from sqlite_schema where type = 'table'");
  const own = tables.filter((name) => !/^(sqlite_|kysely_)|^image_search(_(?!queue|words)|$)/.test(name));
  expect([...tableNames].sort()).toEqual(own.sort());
  for (const [index, table] of tableNames.entries()) {
    expect([table, keyOf(table)]).toEqual([table, await select(`select name from pragma_table_info('${table}') where pk > 0 order by pk`)]);
    const parents = await select(`select "table" as name from pragma_foreign_key_list('${table}')`);
    expect([...tableNames.slice(0, index), table], table).toEqual(expect.arrayContaining(parents));
  }
  await db.close();
});
