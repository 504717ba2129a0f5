import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { InvalidRequestError } from '#server/platform/base/errors.ts';

/** The page that a client requests: at most `limit` items after the cursor of the page before. */
export interface PageRequest {
  cursor?: string | undefined;
  limit: number;
}

/** One page of a list; the last one has no cursor. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** How a list is sorted. Together the columns must be unique, or rows get lost between pages. */
export interface Order {
  direction: 'asc' | 'desc';
  /** From the most significant one, each with the kind of its values; `name`: a text that is sorted without regard to capitals. */
  columns: Readonly<Record<string, 'number' | 'string' | 'name'>>;
}

export const OLDEST_FIRST: Order = { direction: 'asc', columns: { id: 'number' } };
export const NEWEST_FIRST: Order = { direction: 'desc', columns: { id: 'number' } };

type Values = (number | string)[];

/**
 * One page of the rows of `query`. Later pages start at a key, not at a count, so that they cost no more than the first
 * and don't shift when rows are added.
 * @throws InvalidRequestError for a cursor that doesn't fit the order
 */
export async function keysetPage<DB, TB extends keyof DB, Row extends object>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  request: PageRequest,
): Promise<Page<Row>> {
  return pageOf(await keysetQuery(query, order, request).execute(), order, request.limit);
}

/** The query behind {@link keysetPage}: it reads one row more than the page has, which shows whether there is another page. */
export function keysetQuery<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { cursor, limit }: PageRequest,
): SelectQueryBuilder<DB, TB, Row> {
  const kinds = Object.values(order.columns);
  const columns = Object.keys(order.columns).map((column, at) => (kinds[at] === 'name' ? withoutCase(sql.ref(column)) : sql.ref(column)));
  const after = decodeCursor(order, cursor)?.map((value, at) => (kinds[at] === 'name' ? withoutCase(sql`${value}`) : value));
  const beyond = sql.raw(order.direction === 'asc' ? '>' : '<');
  let page = query;
  if (after) page = page.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${sql.join(after)})`);
  for (const column of columns) page = page.orderBy(column, order.direction);
  return page.limit(limit + 1);
}

/** What names are sorted by, in the words of the index `images_by_name`: as the engine knows capitals, SQLite those from A to Z. */
export const withoutCase = (name: RawBuilder<unknown>): RawBuilder<string> => sql<string>`lower(${name})`;

/** Cuts a page from sorted rows, of which there must be more than `limit` if there is another page. */
export function pageOf<Row extends object>(rows: Row[], order: Order, limit: number): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last ? encodeCursor(valuesOf(last, order)) : null };
}

/** The same page with its items presented. */
export function mapPage<Row, Item>({ items, next_cursor }: Page<Row>, present: (row: Row) => Item): Page<Item> {
  return { items: items.map(present), next_cursor };
}

/** A cursor: the sorting values of the last row shown. Clients get it sealed. */
export const encodeCursor = (values: Values): string => JSON.stringify(values);

/**
 * Reads a cursor back.
 * @throws InvalidRequestError when it is malformed or comes from a list in another order
 */
export function decodeCursor({ columns }: Order, cursor: string | undefined): Values | undefined {
  if (cursor === undefined) return undefined;
  const values = parse(cursor);
  const kinds = Object.values(columns);
  const fits = values.length === kinds.length && kinds.every((kind, at) => typeof values[at] === (kind === 'name' ? 'string' : kind));
  if (fits && encodeCursor(values as Values) === cursor) return values as Values;
  throw new InvalidRequestError('This cursor isn’t valid for this list. Start again from the first page.', { field: 'cursor' });
}

function parse(cursor: string): unknown[] {
  try {
    const values = JSON.parse(cursor);
    return Array.isArray(values) ? values : [];
  } catch {
    return []; // not JSON, so no cursor of ours
  }
}

/** A row names its columns without their table. */
function valuesOf(row: object, { columns }: Order): Values {
  const values = row as Record<string, number | string>;
  return Object.keys(columns).map((column) => values[column.slice(column.indexOf('.') + 1)] as number | string);
}
