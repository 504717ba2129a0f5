import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { type Database, openDatabase, type Queries } from '#server/platform/db/database.ts';

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
