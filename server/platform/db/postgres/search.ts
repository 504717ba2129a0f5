import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { type Owner, type SearchEntry, type SearchTerm, tokensOf } from '../search-text.ts';

/** The index finds images that have all tokens of the searched words; of those, only the ones whose words have the tokens in that order remain. */
const TABLE = sql.table('image_search');

export async function storeSearchEntries(queries: Kysely<Tables>, entries: readonly SearchEntry[]): Promise<void> {
  const column = (name: keyof SearchEntry) => entries.map((entry) => entry[name]);
  await sql`insert into ${TABLE} (image_id, tokens, words)
    select id, array_to_tsvector(string_to_array(tokens, ' ')), words
    from unnest(${column('id')}::bigint[], ${column('tokens')}::text[], ${column('words')}::text[]) as changed (id, tokens, words)
    on conflict (image_id) do update set tokens = excluded.tokens, words = excluded.words`.execute(queries);
}

/** PostgreSQL merges its index on its own. */
export const mergeSearchIndex = (): Promise<boolean> => Promise.resolve(false);

/** A query of one owner's tokens; each consists of letters and digits. */
function tokenQuery({ texts, marks }: SearchTerm, owner: Owner): string {
  const own = tokensOf(owner);
  const tokensOfText = (words: readonly string[]) =>
    words.map(own.word).flatMap(({ tokens, isPrefix }) => tokens.map((token) => (isPrefix ? `${token}:*` : token)));
  return `(${[...texts.map((words) => `(${tokensOfText(words).join(' & ')})`), ...marks.map(own.mark)].join(' | ')})`;
}

export const searchId = 'image_id';

export function searchMatches(terms: readonly SearchTerm[], owners: readonly Owner[]): RawBuilder<unknown>[] {
  if (terms.length === 0 || owners.length === 0) return [];
  const tokens = owners.map((owner) => `(${terms.map((term) => tokenQuery(term, owner)).join(' & ')})`).join(' | ');
  const conditions = terms.map(({ texts, marks }) => {
    const contained = texts.map((words) => sql`(${sql.join(words.map(contains), sql` and `)})`);
    const marked = owners.flatMap((owner) => marks.map(tokensOf(owner).mark)).join(' | ');
    return sql`(${sql.join([...contained, ...(marked ? [sql`tokens @@ ${marked}::tsquery`] : [])], sql` or `)})`;
  });
  return [sql`select image_id from ${TABLE} where tokens @@ ${tokens}::tsquery and ${sql.join(conditions, sql` and `)}`];
}

const contains = (word: string) => sql`words like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`;
