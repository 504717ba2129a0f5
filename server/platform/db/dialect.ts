import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { ConfigError } from '#server/platform/config/config.ts';
import type { DatabaseFault, Engine } from './engine.ts';
import { postgres } from './postgres/engine.ts';
import type { Tables } from './schema/tables.ts';
import { type Owner, type SearchTerms, toEntry } from './search-text.ts';
import { addWords } from './search-words.ts';
import { sqlite } from './sqlite/engine.ts';

/**
 * What the service asks of its database beyond common SQL. Each function works out the engine from the queries that it is given;
 * nothing outside this folder knows which one runs.
 */

/**
 * The engine that opens `target`, the path of a file or the URL of a database.
 * @throws ConfigError for a URL of another database
 */
export function engineFor(target: string): Engine {
  const protocol = /^([a-z]\w+):\/\//i.exec(target)?.[1];
  if (!protocol) return sqlite;
  if (/^postgres(ql)?$/.test(protocol)) return postgres;
  throw new ConfigError('PIXDOCK_DATABASE_URL must be a URL such as postgres://user:password@host/database.');
}

export const isPostgres = (queries: Kysely<Tables>): boolean => queries.getExecutor().adapter instanceof PostgresAdapter;

const engineOf = (queries: Kysely<Tables>): Engine => (isPostgres(queries) ? postgres : sqlite);

/** The fault behind an error; undefined when the error isn't the database's. */
export const databaseFault = (error: unknown): DatabaseFault | undefined => sqlite.faultOf(error) ?? postgres.faultOf(error);

/** Characters of recognised text that a unit of writing indexes, in about 20 ms. An image with more is indexed alone. */
const TEXT_AT_ONCE = 20_000;

/** The first of some images, as many as have little enough text. */
async function withinText(queries: Kysely<Tables>, ids: readonly number[]): Promise<number[]> {
  const rows = await queries
    .selectFrom('image_texts')
    .select(['image_id', sql<number>`length(text)`.as('length')])
    .where('image_id', 'in', ids)
    .execute();
  const lengths = new Map(rows.map(({ image_id, length }) => [image_id, length]));
  let characters = 0;
  return ids.filter((id, index) => {
    characters += lengths.get(id) ?? 0;
    return index === 0 || characters <= TEXT_AT_ONCE;
  });
}

/** Adds up to `limit` changed images to the search index; returns their number. */
export async function indexChangedImages(queries: Kysely<Tables>, limit: number): Promise<number> {
  const queue = await queries.selectFrom('image_search_queue').select('image_id').orderBy('image_id').limit(limit).execute();
  if (queue.length === 0) return 0;
  const ids = await withinText(
    queries,
    queue.map(({ image_id }) => image_id),
  );
  const images = await queries
    .selectFrom('images')
    .select(['id', 'owner_id', 'tags', 'name', 'title', 'caption', 'alt', 'ext', 'taken_at', 'created_at'])
    .where('id', 'in', ids)
    .execute();
  const entries = await queries.selectFrom('album_images').select(['image_id', 'album_id']).where('image_id', 'in', ids).execute();
  const albums = Map.groupBy(entries, ({ image_id }) => image_id);
  const texts = await queries.selectFrom('image_texts').select(['image_id', 'text']).where('image_id', 'in', ids).execute();
  const recognized = new Map(texts.map(({ image_id, text }) => [image_id, text]));
  const found = images.map((image) =>
    toEntry(image, { albumIds: albums.get(image.id)?.map(({ album_id }) => album_id) ?? [], recognized: recognized.get(image.id) ?? '' }),
  );
  if (found.length > 0) await engineOf(queries).storeSearchEntries(queries, found);
  await addWords(queries, images);
  await queries.deleteFrom('image_search_queue').where('image_id', 'in', ids).execute();
  return ids.length;
}

/** Merges some of the parts that writing leaves in the search index, in a unit of writing; returns false once there is nothing to merge. */
export const mergeSearchIndex = (queries: Kysely<Tables>): Promise<boolean> => engineOf(queries).mergeSearchIndex(queries);

/** The condition that a row of `images` is one of these owners' and meets every term of a search. */
export function matchesSearch(queries: Kysely<Tables>, terms: SearchTerms, owners: readonly Owner[]): RawBuilder<boolean> {
  const conditions = engineOf(queries)
    .searchMatches(terms, owners)
    .map((matches) => sql<boolean>`images.id in (${matches})`);
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

interface OwnSearch {
  terms: SearchTerms;
  owner: Owner;
  limit: number;
  /** The lowest and the highest id to look for. */
  between?: readonly [from: number, to: number];
}

/** The ids of up to `limit` images of an owner that {@link matchesSearch} selects, in ascending order. */
export async function findMatches(queries: Kysely<Tables>, { terms, owner, limit, between }: OwnSearch): Promise<number[]> {
  const [from, to] = between ?? [0, Number.MAX_SAFE_INTEGER];
  const { searchId, searchMatches } = engineOf(queries);
  const [matches] = searchMatches(terms, [owner]);
  if (!matches) return [];
  // SQLite's parameters are floating-point numbers, with which its index doesn't go straight to the first row.
  const id = sql.ref(searchId);
  const { rows } = await sql<Record<string, number>>`
    ${matches} and ${id} between cast(${from} as bigint) and cast(${to} as bigint) order by ${id} limit ${limit}`.execute(queries);
  return rows.map((row) => row[searchId] as number);
}

/** Runs `work`, which inserts rows into a table, without running the table's triggers. Call it in a unit of writing. */
export const withoutTriggers = (queries: Kysely<Tables>, table: string, work: () => Promise<void>): Promise<void> =>
  engineOf(queries).withoutTriggers(queries, table, work);

/** The highest number that a table has assigned to a row; undefined: none, or its rows aren't numbered automatically. */
export const lastNumber = (queries: Kysely<Tables>, table: string): Promise<number | undefined> =>
  engineOf(queries).lastNumber(queries, table);

/** Has a table number new rows from `last` + 1. */
export const continueNumbering = (queries: Kysely<Tables>, table: string, last: number): Promise<void> =>
  engineOf(queries).continueNumbering(queries, table, last);

/** The name and version of the database, for display. */
export const databaseVersion = (queries: Kysely<Tables>): Promise<string> => engineOf(queries).describe(queries);

/** The size of the database in bytes. */
export const databaseBytes = (queries: Kysely<Tables>): Promise<number> => engineOf(queries).sizeOf(queries);

/** The year, as text in UTC, of a column that holds milliseconds since 1970. */
export const yearOf = (queries: Kysely<Tables>, column: string): RawBuilder<string> => engineOf(queries).yearOf(column);

/** The condition that a column contains a text; `%` and `_` in it are taken literally. Compare keys (`toKey`) with keys. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
