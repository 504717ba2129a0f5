import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

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
