import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '#server/platform/db/database.ts';
import { keyOf, tableNames } from '#server/platform/db/schema/tables.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

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
