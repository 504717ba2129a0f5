import { setImmediate } from 'node:timers/promises';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { RouteParsed } from '#api/contract.ts';
import type { countImages, listImages } from '#api/images/images.ts';
import { taggedIds, withFilters } from '#server/core/images/filters.ts';
import type { Database } from '#server/platform/db/database.ts';
import { matchesSearch } from '#server/platform/db/dialect.ts';
import { decodeCursor, encodeCursor, type Order, withoutCase } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import type { Search } from './search.ts';

export type ImageFilter = RouteParsed<typeof listImages, 'query'>;
/** What selects images, without the order and the page. */
export type ImageFilters = Omit<RouteParsed<typeof countImages, 'query'>, 'by'>;
/** A filter whose search is resolved to terms, or to ids or a key where few images match. */
export interface NarrowedFilter extends Omit<ImageFilter, 'q'>, Partial<Pick<Search, 'terms' | 'ids' | 'tags' | 'similar'>> {
  key?: string;
  upTo?: number;
}
type ImageQuery = SelectQueryBuilder<Tables, 'images', ImageRow>;

/** Columns that a list can be read with alone. */
export type Column = keyof ListRow &
  ('id' | 'key' | 'width' | 'height' | 'created_at' | 'taken_at' | 'deleted_at' | 'name' | 'size' | 'position' | 'thumbhash');
/** An image of a list, in the order of an album with its place there. */
type ListRow = ImageRow & { position?: number };

const SORTS = {
  uploaded_desc: ['created_at', 'desc'],
  uploaded_asc: ['created_at', 'asc'],
  taken_desc: ['taken_at', 'desc'],
  taken_asc: ['taken_at', 'asc'],
  name_asc: ['name', 'asc'],
  size_desc: ['size', 'desc'],
  deleted_desc: ['deleted_at', 'desc'],
  album_order: ['position', 'desc'],
} as const;

/** Breaks ties between images with the same value. */
const tieOf = (sort: ImageFilter['sort']) => (sort === 'album_order' ? 'key' : 'id');

/** The columns that a list is read in the order of; those of an album, from its entries, whose indices have that order. */
function orderedBy({ sort, album_id }: NarrowedFilter) {
  const [column, direction] = SORTS[sort];
  if (sort === 'album_order') return { column: sql.ref('position'), tie: sql.ref('image_key'), direction };
  if (album_id && column === 'created_at') return { column: sql.ref('uploaded_at'), tie: sql.ref('image_id'), direction };
  return { column: column === 'name' ? withoutCase(sql.ref(column)) : sql.ref(column), tie: sql.ref('id'), direction };
}

/** Rows that are read at once, in about 2 ms: other requests, such as those for the first thumbnails, run in between. */
const SLICE = 1_000;

/**
 * The queries whose rows, one after the other, form the list; none reads more rows than it returns. An album in the filter
 * must be the user's own. After a cursor there are two: rows with the same value and a later id, then rows with later values.
 * For one condition on pairs, the database would read all rows with that value from the first one.
 */
export function ownImagesQueries(db: Database, ownerId: number, filter: NarrowedFilter, now: number): ImageQuery[] {
  const { column, tie, direction } = orderedBy(filter);
  const ordered = matching(db, ownerId, filter, now)
    .orderBy(column, direction)
    .orderBy(tie, direction)
    .limit(filter.limit + 1);
  const [before, beyond] = direction === 'asc' ? ([sql.raw('<='), '>'] as const) : ([sql.raw('>='), '<'] as const);
  const valuesIn = (cursor: string | undefined) => {
    const [value, last] = decodeCursor(orderOf(filter.sort), cursor) ?? [];
    if (value === undefined || last === undefined) return undefined;
    return [filter.sort === 'name_asc' ? withoutCase(sql`${value}`) : sql.val(value), sql.val(last)] as const;
  };
  const until = valuesIn(filter.until);
  const ending = until ? ordered.where(sql<boolean>`(${column}, ${tie}) ${before} (${sql.join(until)})`) : ordered;
  const after = valuesIn(filter.cursor);
  if (!after) return [ending];
  const [value, last] = after;
  // Without the column, which is the same in all: a database may not see that of an expression, and would sort.
  const same = ending.clearOrderBy().orderBy(tie, direction);
  return [same.where(column, '=', value).where(tie, beyond, last), ending.where(column, beyond, value)];
}

/** The first `amount` rows of several queries. */
export async function readInTurn<Row>(queries: readonly { execute(): Promise<Row[]> }[], amount: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const query of queries) {
    if (rows.length >= amount) break;
    rows.push(...(await query.execute()));
  }
  return rows.slice(0, amount);
}

/** Some columns of the rows of a list. */
export function columnsOf<C extends Column>(queries: ImageQuery[], columns: C[]) {
  return queries.map((query) => query.clearSelect().select(columns as never) as unknown as { execute(): Promise<Pick<ListRow, C>[]> });
}

/** The column by which a list is sorted. */
export const sortedColumn = (sort: ImageFilter['sort']): Column => SORTS[sort][0];

/** The columns of {@link cursorAfter}. */
export const cursorColumns = (sort: ImageFilter['sort']): Column[] => [sortedColumn(sort), tieOf(sort)];

/** The cursor of what follows an image in a list. */
export function cursorAfter(row: object, sort: ImageFilter['sort']): string {
  const values = row as Record<string, number | string>;
  return encodeCursor(cursorColumns(sort).map((column) => values[column] as number | string));
}

/** What a filter selects of a user's images at a moment. */
export interface OwnList {
  ownerId: number;
  filter: NarrowedFilter;
  now: number;
}

/**
 * Reads some columns of a list from its cursor to its end, slice by slice; the limit has no effect.
 * @param columns must contain the {@link cursorColumns}
 */
export async function* readSlices<C extends Column>(
  db: Database,
  { ownerId, filter, now }: OwnList,
  columns: C[],
): AsyncGenerator<Pick<ListRow, C>[]> {
  let { cursor } = filter;
  for (;;) {
    const queries = ownImagesQueries(db, ownerId, { ...filter, limit: SLICE, cursor }, now);
    const rows = await readInTurn(columnsOf(queries, columns), SLICE);
    yield rows;
    const last = rows.at(-1);
    if (rows.length < SLICE || !last) return;
    cursor = cursorAfter(last, filter.sort);
    await setImmediate();
  }
}

/** What a filter selects, in no order. */
export function matching(db: Database, ownerId: number, filter: NarrowedFilter, now: number): ImageQuery {
  const { album_id, terms, ids, tags = [], key, keys, upTo } = filter;
  const trash = filter.trash || filter.sort === 'deleted_desc';
  let query: ImageQuery = (album_id ? imagesIn(db, album_id, filter) : db.read.selectFrom('images').selectAll('images'))
    .where('deleted_at', trash ? 'is not' : 'is', null)
    .where('emptied_at', 'is', null);
  // With an album, a key or a search, hide the owner from the optimiser: the owner's index would lead to all their images.
  query = album_id || ids || key || keys ? query.where(sql`coalesce(owner_id, 0)`, '=', ownerId) : query.where('owner_id', '=', ownerId);
  if (ids) query = query.where('id', 'in', ids);
  if (key !== undefined) query = query.where('key', '=', key);
  if (keys) query = query.where('key', 'in', keys);
  // Not a range of ids, which would lead to the rows of all users.
  if (upTo !== undefined) query = query.where(sql<boolean>`+id <= ${upTo}`);
  if (!trash) query = query.where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]));
  if (terms) query = query.where(matchesSearch(db.read, terms, [ownerId]));
  for (const any of tags) query = query.where('id', 'in', (row) => taggedIds(row, ownerId, any));
  return withFilters(query, filter, ownerId);
}

/** The images of an album. */
function imagesIn(db: Database, albumId: string, { sort, trash }: NarrowedFilter): ImageQuery {
  const query = db.read
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .where('album_images.album_id', '=', albumId)
    .selectAll('images')
    .$if(sort === 'album_order', (all) => all.select('position'))
    // As literal as the condition of the index by time of upload.
    .$if(!trash && sort !== 'deleted_desc' && sort !== 'album_order', (all) => all.where(sql<boolean>`state > 0`));
  return query as unknown as ImageQuery;
}

export function orderOf(sort: ImageFilter['sort']): Order {
  const [column, direction] = SORTS[sort];
  const tie = tieOf(sort);
  return { direction, columns: { [column]: column === 'name' ? 'string' : 'number', [tie]: tie === 'key' ? 'string' : 'number' } };
}
