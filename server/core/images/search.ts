import type { Database } from '#server/platform/db/database.ts';
import { indexChangedImages } from '#server/platform/db/dialect.ts';

/** Images per unit of writing: a few milliseconds. */
const BATCH = 200;

/** Brings the index for searching up to date; answers how many images had changed. Runs before every search, and now and then. */
export async function updateSearch(db: Database): Promise<number> {
  let indexed = 0;
  while (await db.read.selectFrom('image_search_queue').select('image_id').limit(1).executeTakeFirst())
    indexed += await db.write((queries) => indexChangedImages(queries, BATCH));
  return indexed;
}
