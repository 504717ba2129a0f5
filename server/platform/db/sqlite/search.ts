import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { type Owner, type SearchEntry, type SearchTerms, searchExpression } from '../search-text.ts';

export async function storeSearchEntries(queries: Kysely<Tables>, entries: readonly SearchEntry[]): Promise<void> {
  await sql`delete from image_search where rowid in (${sql.join(entries.map(({ id }) => id))})`.execute(queries);
  const rows = entries.map(({ id, tokens }) => sql`(${id}, ${tokens})`);
  await sql`insert into image_search (rowid, tokens) values ${sql.join(rows)}`.execute(queries);
}

/** Pages that a step of a merge writes, in less than 0.1 s. */
const MERGED_PAGES = 32;
/**
 * When parts are merged: two of similar size, or one with 3 % of deleted rows. By default, it takes four parts, or 10 %; until then a search reads every
 * part, and looks for each row among the deleted ones.
 */
const MERGING = { usermerge: 2, deletemerge: 3 };

/** Merges some of the parts that writing leaves in the search index; returns false once there is nothing to merge. */
export async function mergeSearchIndex(queries: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ k: string; v: number }>`select k, v from image_search_config`.execute(queries);
  const known = new Map(rows.map(({ k, v }) => [k, v]));
  // As a literal: SQLite's parameters are floating-point numbers, which these settings don't take.
  for (const [setting, value] of Object.entries(MERGING))
    if (known.get(setting) !== value)
      await sql`insert into image_search (image_search, rank) values (${setting}, ${sql.raw(String(value))})`.execute(queries);
  const before = await totalChanges(queries);
  await sql`insert into image_search (image_search, rank) values ('merge', ${MERGED_PAGES})`.execute(queries);
  // The insertion itself counts as one.
  return (await totalChanges(queries)) > before + 1;
}

async function totalChanges(queries: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(queries);
  return rows[0]?.count ?? 0;
}

/** Owners per query of the search index, whose parser has a limit. */
const OWNERS_AT_ONCE = 200;

export const searchId = 'rowid';

export function searchMatches(terms: SearchTerms, owners: readonly Owner[]): RawBuilder<unknown>[] {
  const queries: RawBuilder<unknown>[] = [];
  for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
    const expression = searchExpression(terms, owners.slice(from, from + OWNERS_AT_ONCE));
    if (expression) queries.push(sql`select rowid from image_search where image_search match ${expression}`);
  }
  return queries;
}
