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

const LINK = /\/(?:i|t|s|delete)\/([0-9A-Za-z]{12})(?![0-9A-Za-z])/;
const KEY = /^[0-9A-Za-z]{12}$/;

/**
 * The key in a pasted link: direct, thumbnail, share or deletion link, alone or inside Markdown and the like. The host does
 * not matter, since links with a former address are still about the same picture.
 * @param exists tells a bare key from a word that only looks like one
 */
export async function pastedKey(text: string | undefined, exists: (key: string) => Promise<boolean>): Promise<string | undefined> {
  if (!text) return undefined;
  const [, key] = LINK.exec(text) ?? [];
  if (key) return key;
  return KEY.test(text) && (await exists(text)) ? text : undefined;
}
