import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { mergeSearch, prepareSearch, updateSearch } from '#server/core/images/text/search.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { findMatches } from '#server/platform/db/dialect.ts';
import { textTerms } from '#server/platform/db/search-text.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';

it('refuses to search rather than wait for very many changed images, and searches again once they are indexed', async () => {
  const db = await openDatabase(join(temporaryFolder(), 'pixdock.db'));
  onTestFinished(() => db.close());
  await db.write((queries) =>
    sql`with recursive n(id) as (select 1 union all select id + 1 from n where id < 50000)
      insert into image_search_queue (image_id) select id from n`.execute(queries),
  );
  await expect(prepareSearch(db)).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 5 } });
  expect(await updateSearch(db)).toBe(30_000);
  await prepareSearch(db);
});

it('merges the parts of the index that changes leave, a little at a time', async () => {
  const db = await openDatabase(join(temporaryFolder(), 'pixdock.db'));
  onTestFinished(() => db.close());
  const parts = async () =>
    (await sql<{ part: number }>`select distinct (id >> 37) & 65535 as part from image_search_data where id > 10`.execute(db.read)).rows
      .length;
  const find = () => findMatches(db.read, { terms: textTerms('boat'), owner: null, limit: 10 });
  for (const name of ['boat', 'sea', 'boat and sea']) {
    await addImageRows(db, null, 1, () => ({ name }));
    await updateSearch(db);
  }
  await db.write((queries) => queries.updateTable('images').set({ name: 'dog' }).where('name', '=', 'boat').execute());
  await updateSearch(db);
  const found = await find();
  expect([found.length, await parts()]).toEqual([1, 4]);
  while (await mergeSearch(db));
  expect([await find(), await parts()]).toEqual([found, 1]);
  expect(await mergeSearch(db)).toBe(false);
});
