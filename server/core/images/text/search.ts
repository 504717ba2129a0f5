import { toSlug } from '#api/images/slug-rules.ts';
import { findImageBySlug } from '#server/core/images/images.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { indexChangedImages, mergeSearchIndex } from '#server/platform/db/dialect.ts';

/** Images per unit of writing, which takes a few milliseconds. */
const BATCH = 200;

/** Images that a search waits for, which takes about half a second; a migration or a large batch can leave more to the job. */
const MAX_BEFORE_SEARCH = 20_000;

/**
 * Brings the search index up to date, which every search needs.
 * @throws RequestError `unavailable` when many images have changed: the job is still at it
 */
export async function prepareSearch(db: Database): Promise<void> {
  if ((await updateSearch(db.as('job'), MAX_BEFORE_SEARCH)) >= MAX_BEFORE_SEARCH)
    throw new RequestError('unavailable', 'The search index is being updated. Try again in a few seconds.', { retry_after: 5 });
}

/** Brings the search index up to date, up to `limit` images at least, and returns the number of changed images. */
export async function updateSearch(db: WritableDatabase, limit = Infinity): Promise<number> {
  let indexed = 0;
  while (indexed < limit && (await db.read.selectFrom('image_search_queue').select('image_id').limit(1).executeTakeFirst()))
    indexed += await db.write((queries) => indexChangedImages(queries, BATCH));
  return indexed;
}

/** Has searches read fewer parts of the index after many changes; returns false once there is nothing left to do. */
export const mergeSearch = (db: WritableDatabase): Promise<boolean> => db.write(mergeSearchIndex);

const LINK = /\/(?:i|t|s|delete)\/([0-9A-Za-z]{12})(?![0-9A-Za-z-])/;
const KEY = /^[0-9A-Za-z]{12}$/;

/** The same with a custom address. */
const NAMED_LINK = /\/(?:i|t|s)\/([0-9A-Za-z][0-9A-Za-z-]{1,62})(?![0-9A-Za-z-])/;

/**
 * The key in a pasted link: direct, thumbnail, share or deletion link, alone or inside Markdown and the like. The host
 * doesn't matter, since links with a former address still mean the same image.
 * @param exists distinguishes a bare key from a word that looks like one
 */
export async function pastedKey(
  queries: Queries,
  text: string | undefined,
  exists: (key: string) => Promise<boolean>,
): Promise<string | undefined> {
  if (!text) return undefined;
  const [, key] = LINK.exec(text) ?? [];
  if (key) return key;
  const [, slug] = NAMED_LINK.exec(text) ?? [];
  if (slug) return (await findImageBySlug(queries, toSlug(slug)))?.key;
  return KEY.test(text) && (await exists(text)) ? text : undefined;
}
