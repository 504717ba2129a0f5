import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { type Owner, type SearchEntry, type SearchTerm, type SearchTerms, tokensOf } from '../search-text.ts';

/** The index finds images that have all tokens of the searched words; of those, only the ones whose words have the tokens in that order remain. */
const TABLE = sql.table('image_search');

export async function storeSearchEntries(queries: Kysely<Tables>, entries: readonly SearchEntry[]): Promise<void> {
  const column = (name: keyof SearchEntry) => entries.map((entry) => entry[name]);
  await sql`insert into ${TABLE} (image_id, tokens, words, recognized)
    select id, array_to_tsvector(string_to_array(tokens, ' ')), words, recognized
    from unnest(${column('id')}::bigint[], ${column('tokens')}::text[], ${column('words')}::text[], ${column('recognized')}::text[])
      as changed (id, tokens, words, recognized)
    on conflict (image_id) do update set tokens = excluded.tokens, words = excluded.words, recognized = excluded.recognized`.execute(
    queries,
  );
}

/** PostgreSQL merges its index on its own. */
export const mergeSearchIndex = (): Promise<boolean> => Promise.resolve(false);

/** A query of one owner's tokens; each consists of letters and digits. */
function tokenQuery({ texts, marks }: SearchTerm, owner: Owner, inPictures: boolean): string {
  const own = tokensOf(owner);
  const anywhere = (word: string) =>
    own
      .words(word, { inPictures })
      .map(({ tokens, isPrefix }) => `(${tokens.map((token) => (isPrefix ? `${token}:*` : token)).join(' & ')})`)
      .join(' | ');
  const phrases = texts.map((words) => words.map((word) => `(${anywhere(word)})`).join(' & '));
  return `(${[...phrases.map((phrase) => `(${phrase})`), ...marks.map(own.mark)].join(' | ')})`;
}

export const searchId = 'image_id';

export function searchMatches({ all, inPictures }: SearchTerms, owners: readonly Owner[]): RawBuilder<unknown>[] {
  if (all.length === 0 || owners.length === 0) return [];
  const tokens = owners.map((owner) => `(${all.map((term) => tokenQuery(term, owner, inPictures)).join(' & ')})`).join(' | ');
  const contains = (word: string) =>
    inPictures ? sql`(${within('words', word)} or ${within('recognized', word)})` : within('words', word);
  const conditions = all.map(({ texts, marks }) => {
    const contained = texts.map((words) => sql`(${sql.join(words.map(contains), sql` and `)})`);
    const marked = owners.flatMap((owner) => marks.map(tokensOf(owner).mark)).join(' | ');
    return sql`(${sql.join([...contained, ...(marked ? [sql`tokens @@ ${marked}::tsquery`] : [])], sql` or `)})`;
  });
  return [sql`select image_id from ${TABLE} where tokens @@ ${tokens}::tsquery and ${sql.join(conditions, sql` and `)}`];
}

const within = (column: 'words' | 'recognized', word: string) => sql`${sql.ref(column)} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`;
