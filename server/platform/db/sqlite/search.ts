import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { type Owner, type SearchEntry, type SearchTerm, searchExpression } from '../search-text.ts';

export async function storeSearchEntries(queries: Kysely<Tables>, entries: readonly SearchEntry[]): Promise<void> {
  await sql`delete from image_search where rowid in (${sql.join(entries.map(({ id }) => id))})`.execute(queries);
  const rows = entries.map(({ id, tokens }) => sql`(${id}, ${tokens})`);
  await sql`insert into image_search (rowid, tokens) values ${sql.join(rows)}`.execute(queries);
}

/** Owners per query of the search index, whose parser has a limit. */
const OWNERS_AT_ONCE = 200;

export const searchId = 'rowid';

export function searchMatches(terms: readonly SearchTerm[], owners: readonly Owner[]): RawBuilder<unknown>[] {
  const queries: RawBuilder<unknown>[] = [];
  for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
    const expression = searchExpression(terms, owners.slice(from, from + OWNERS_AT_ONCE));
    if (expression) queries.push(sql`select rowid from image_search where image_search match ${expression}`);
  }
  return queries;
}
