import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { IdRange } from '../engine.ts';
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

/** The condition that a row of `images` is one of these owners' and that its texts or tags contain every part of a search text. */
export function matchesSearch(typed: string, owners: readonly Owner[]): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [];
  for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
    const wanted = searchExpression(typed, owners.slice(from, from + OWNERS_AT_ONCE));
    if (wanted) conditions.push(sql<boolean>`images.id in (select rowid from image_search where image_search match ${wanted})`);
  }
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

export async function findMatches(
  queries: Kysely<Tables>,
  typed: string,
  owner: Owner,
  limit: number,
  [from, to]: IdRange,
): Promise<number[]> {
  const wanted = searchExpression(typed, [owner]);
  if (!wanted) return [];
  // Parameters are floating-point numbers, with which the index doesn't go straight to the first row.
  const { rows } = await sql<{ rowid: number }>`
    select rowid from image_search
    where image_search match ${wanted} and rowid between cast(${from} as integer) and cast(${to} as integer)
    order by rowid limit ${limit}`.execute(queries);
  return rows.map(({ rowid }) => rowid);
}
