import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { prepareSearch, updateSearch } from '#server/core/images/text/search.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

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
