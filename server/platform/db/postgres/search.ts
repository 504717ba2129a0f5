import { type Kysely, type RawBuilder, sql } from 'kysely';
import { readList } from '../lists.ts';
import type { Tables } from '../schema/tables.ts';
import { foldedWords, type Owner, searchTokens, type TypedWord, typedWords } from '../search-text.ts';

/** The index finds images that have all tokens of the searched words; of those, only the ones whose words have the tokens in that order remain. */
const TABLE = sql.table('image_search');

export async function indexChangedImages(queries: Kysely<Tables>, limit: number): Promise<number> {
  const changed = await queries
    .selectFrom('image_search_queue')
    .innerJoin('images', 'images.id', 'image_search_queue.image_id')
    .select(['images.id', 'owner_id', 'tags', 'name', 'title', 'caption', 'alt'])
    .orderBy('images.id')
    .limit(limit)
    .execute();
  const texts = changed.map(({ tags, name, title, caption, alt }) => [name, title, caption, alt, ...readList<string>(tags)]);
  const ids = changed.map(({ id }) => id);
  const tokens = changed.map(({ owner_id }, index) => searchTokens(owner_id, ...(texts[index] as string[])));
  const words = texts.map((all) => foldedWords(...all).join(' '));
  await sql`insert into ${TABLE} (image_id, tokens, words)
    select id, array_to_tsvector(string_to_array(tokens, ' ')), words
    from unnest(${ids}::bigint[], ${tokens}::text[], ${words}::text[]) as changed (id, tokens, words)
    on conflict (image_id) do update set tokens = excluded.tokens, words = excluded.words`.execute(queries);
  if (ids.length > 0) await queries.deleteFrom('image_search_queue').where('image_id', 'in', ids).execute();
  return ids.length;
}

/** A query of one owner's tokens; each consists of letters and digits. */
const tokenQuery = (words: TypedWord[]) =>
  words.flatMap(({ tokens, isPrefix }) => tokens.map((token) => (isPrefix ? `${token}:*` : token))).join(' & ');

export const searchId = 'image_id';

export function searchMatches(typed: string, owners: readonly Owner[]): RawBuilder<unknown>[] {
  const words = typedWords(typed, null);
  if (words.length === 0 || owners.length === 0) return [];
  const tokens = owners.map((owner) => `(${tokenQuery(typedWords(typed, owner))})`).join(' | ');
  const contained = words.map(({ text }) => sql`words like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`);
  return [sql`select image_id from ${TABLE} where tokens @@ ${tokens}::tsquery and ${sql.join(contained, sql` and `)}`];
}
