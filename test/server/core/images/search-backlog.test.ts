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
  await db.as('job').write((queries) =>
    sql`with recursive n(id) as (select 1 union all select id + 1 from n where id < 50000)
      insert into image_search_queue (image_id) select id from n`.execute(queries),
  );
  await expect(prepareSearch(db)).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 5 } });
  expect(await updateSearch(db.as('job'))).toBe(30_000);
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
    await updateSearch(db.as('job'));
  }
  await db.as('job').write((queries) => queries.updateTable('images').set({ name: 'dog' }).where('name', '=', 'boat').execute());
  await updateSearch(db.as('job'));
  const found = await find();
  expect([found.length, await parts()]).toEqual([1, 4]);
  while (await mergeSearch(db.as('job')));
  expect([await find(), await parts()]).toEqual([found, 1]);
  expect(await mergeSearch(db.as('job'))).toBe(false);
});

it('removes deleted rows from the index once they are more than a few, so that searches needn’t look for each row among them', async () => {
  const db = await openDatabase(join(temporaryFolder(), 'pixdock.db'));
  onTestFinished(() => db.close());
  const deletedRows = async () => (await sql`select 1 from image_search_data where id >> 37 > 65535`.execute(db.read)).rows.length; // pages of them, marked by that bit
  const rename = async (below: number) => {
    await db.as('job').write((queries) =>
      queries
        .updateTable('images')
        .set({ name: `sea ${below}` })
        .where('id', '<=', below)
        .execute(),
    );
    await updateSearch(db.as('job'));
    while (await mergeSearch(db.as('job')));
  };
  await addImageRows(db, null, 200, () => ({ name: 'boat' }));
  await updateSearch(db.as('job'));
  await rename(1); // one part from here on
  await rename(4);
  expect(await deletedRows()).toBe(1);
  await rename(1);
  await rename(12);
  expect(await deletedRows()).toBe(0);
});
