import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { RouteParsed } from '#api/contract.ts';
import { DAY_MS } from '#api/durations.ts';
import type { countImages, listImages } from '#api/images.ts';
import { findOwnAlbum } from '#server/core/albums/albums.ts';
import { findOwnImage } from '#server/core/images/images.ts';
import { pastedKey, prepareSearch } from '#server/core/images/search.ts';
import type { Database } from '#server/platform/db/database.ts';
import { findMatches, matchesSearch } from '#server/platform/db/dialect.ts';
import { decodeCursor, type Order, type Page, pageOf } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

export type ImageFilter = RouteParsed<typeof listImages, 'query'>;
/** What selects images, without the order and the page. */
export type ImageFilters = RouteParsed<typeof countImages, 'query'>;
/** A filter whose search is resolved to ids or a key, where few images match. */
type NarrowedFilter = ImageFilter & { ids?: number[]; key?: string; upTo?: number };
type ImageQuery = SelectQueryBuilder<Tables, 'images', ImageRow>;

const SORTS = {
  uploaded_desc: ['created_at', 'desc'],
  uploaded_asc: ['created_at', 'asc'],
  taken_desc: ['taken_at', 'desc'],
  taken_asc: ['taken_at', 'asc'],
  name_asc: ['name', 'asc'],
  size_desc: ['size', 'desc'],
} as const;

const FEW_MATCHES = 1_000;

/** A user's images that are neither in the trash nor expired, in the order asked for. */
export async function listOwnImages(db: Database, ownerId: number, filter: ImageFilter, now: number): Promise<Page<ImageRow>> {
  const narrowed = await narrow(db, ownerId, filter);
  return narrowed ? readPage(db, ownerId, narrowed, now) : { items: [], next_cursor: null };
}

/**
 * Counts what {@link listOwnImages} lists, and returns the latest upload of any user, up to which {@link walkOwnImages} finds the same
 * images later.
 */
export async function countOwnImages(db: Database, ownerId: number, filters: ImageFilters, now: number) {
  const upTo = await latestUpload(db);
  const narrowed = await narrow(db, ownerId, { ...filters, ...WHOLE });
  if (!narrowed) return { count: 0, upTo };
  const { count } = await matching(db, ownerId, { ...narrowed, upTo }, now)
    .clearSelect()
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { count, upTo };
}

/** The largest id of an image. Ids grow with every upload. */
export async function latestUpload({ read }: Database): Promise<number> {
  const row = await read.selectFrom('images').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** Lists that are read as a whole, oldest upload first: changes to an image don't move it to another page. */
const WHOLE = { sort: 'uploaded_asc', limit: 200 } as const;

/**
 * Reads all images of a list, page by page, even while they are being changed.
 * @param upTo leaves out later uploads, by id
 */
export async function* walkOwnImages(db: Database, ownerId: number, filters: ImageFilters, upTo: number): AsyncGenerator<ImageRow[]> {
  const narrowed = await narrow(db, ownerId, { ...filters, ...WHOLE });
  if (!narrowed) return;
  let cursor: string | undefined;
  do {
    const page: Page<ImageRow> = await readPage(db, ownerId, { ...narrowed, upTo, cursor }, Date.now());
    yield page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** One page of the images that a filter is for; an album in it must be the user's own. */
export async function readPage(db: Database, ownerId: number, filter: NarrowedFilter, now: number): Promise<Page<ImageRow>> {
  const rows = await readInTurn(ownImagesQueries(db, ownerId, filter, now), filter.limit + 1);
  return pageOf(rows, orderOf(filter.sort), filter.limit);
}

/**
 * Resolves an album and a search; undefined when nothing can match. If few images match a search, their ids lead to them directly;
 * if many do, scanning the list finds them soon.
 */
export async function narrow(db: Database, ownerId: number, filter: ImageFilter): Promise<NarrowedFilter | undefined> {
  if (filter.album_id && !(await findOwnAlbum(db.read, ownerId, filter.album_id))) return undefined;
  if (!filter.q) return filter;
  const key = await pastedKey(db.read, filter.q, async (bare) => (await findOwnImage(db.read, ownerId, bare)) !== undefined);
  if (key !== undefined) return { ...filter, q: undefined, key };
  await prepareSearch(db);
  const ids = await findMatches(db.read, filter.q, ownerId, FEW_MATCHES);
  return ids.length < FEW_MATCHES ? { ...filter, q: undefined, ids } : filter;
}

/**
 * The queries whose rows, one after the other, form the list; none reads more rows than it returns. An album in the filter
 * must be the user's own. After a cursor there are two: rows with the same value and a later id, then rows with later values.
 * For one condition on pairs, the database would read all rows with that value from the first one.
 */
export function ownImagesQueries(db: Database, ownerId: number, filter: NarrowedFilter, now: number): ImageQuery[] {
  const [column, direction] = SORTS[filter.sort];
  const ordered = matching(db, ownerId, filter, now)
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(filter.limit + 1);
  const [before, beyond] = direction === 'asc' ? ([sql.raw('<='), '>'] as const) : ([sql.raw('>='), '<'] as const);
  const until = decodeCursor(orderOf(filter.sort), filter.until);
  const ending = until ? ordered.where(sql<boolean>`(${sql.ref(column)}, id) ${before} (${sql.join(until)})`) : ordered;
  const after = decodeCursor(orderOf(filter.sort), filter.cursor);
  if (!after) return [ending];
  const [value, id] = after as [string | number, number];
  return [ending.where(column, '=', value).where('id', beyond, id), ending.where(column, beyond, value)];
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

function matching(db: Database, ownerId: number, filter: NarrowedFilter, now: number): ImageQuery {
  const { album_id, visibility, type, favourite, tag, q, ids, key, upTo } = filter;
  let query: ImageQuery = db.read.selectFrom('images').selectAll().where('deleted_at', 'is', null).where('emptied_at', 'is', null);
  // With an album, a key or a search, hide the owner from the optimiser: the owner's index would lead to all their images.
  query = album_id || ids || key ? query.where(sql`coalesce(owner_id, 0)`, '=', ownerId) : query.where('owner_id', '=', ownerId);
  if (album_id) query = query.where('album_id', '=', album_id);
  if (ids) query = query.where('id', 'in', ids);
  if (key !== undefined) query = query.where('key', '=', key);
  // Not a range of ids, which would lead to the rows of all users.
  if (upTo !== undefined) query = query.where(sql<boolean>`+id <= ${upTo}`);
  query = query.where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]));
  if (visibility) query = query.where('visibility', '=', visibility);
  if (type) query = query.where('ext', '=', type === 'jpeg' ? 'jpg' : type);
  // A literal, not a parameter: otherwise the database can't use the index of favourites.
  if (favourite !== undefined) query = query.where(favourite ? sql<boolean>`favourite = 1` : sql<boolean>`favourite = 0`);
  if (tag !== undefined) query = query.where('id', 'in', (row) => taggedIds(row, ownerId, tag));
  if (q) query = query.where(matchesSearch(db.read, q, [ownerId]));
  return withinDates(query, filter);
}

function taggedIds(row: ExpressionBuilder<Tables, 'images'>, ownerId: number, tag: string) {
  return row.selectFrom('image_tags').select('image_id').where('image_tags.owner_id', '=', ownerId).where('tag', '=', tag.trim());
}

/** A date given as `to` includes the whole day. */
function withinDates(query: ImageQuery, { date, sort, from, to }: ImageFilter): ImageQuery {
  const column = (date ?? (sort.startsWith('taken') ? 'taken' : 'uploaded')) === 'taken' ? 'taken_at' : 'created_at';
  const end = to === undefined ? undefined : Date.parse(to) + (to.includes('T') ? 0 : DAY_MS);
  return query
    .$if(from !== undefined, (all) => all.where(column, '>=', Date.parse(from as string)))
    .$if(end !== undefined, (all) => all.where(column, '<', end as number));
}

export function orderOf(sort: ImageFilter['sort']): Order {
  const [column, direction] = SORTS[sort];
  return { direction, columns: { [column]: column === 'name' ? 'string' : 'number', id: 'number' } };
}
