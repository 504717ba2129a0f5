import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { type Owner, searchExpression } from '../search-text.ts';

/** Adds up to `limit` changed images to the search index; returns their number. */
export async function indexChangedImages(queries: Kysely<Tables>, limit: number): Promise<number> {
  const changed = sql`select image_id from image_search_queue order by image_id limit ${limit}`;
  await sql`delete from image_search where rowid in (${changed})`.execute(queries);
  await sql`insert into image_search (rowid, tokens) select id, search_tokens(owner_id, tags, name, title, caption, alt) from images where id in (${changed})`.execute(
    queries,
  );
  const { numAffectedRows } = await sql`delete from image_search_queue where image_id in (${changed})`.execute(queries);
  return Number(numAffectedRows ?? 0);
}

/** Owners per query of the search index, whose parser has a limit. */
const OWNERS_AT_ONCE = 200;

export const searchId = 'rowid';

export function searchMatches(typed: string, owners: readonly Owner[]): RawBuilder<unknown>[] {
  const queries: RawBuilder<unknown>[] = [];
  for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
    const expression = searchExpression(typed, owners.slice(from, from + OWNERS_AT_ONCE));
    if (expression) queries.push(sql`select rowid from image_search where image_search match ${expression}`);
  }
  return queries;
}
