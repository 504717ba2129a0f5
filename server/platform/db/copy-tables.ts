import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database, Queries } from './database.ts';
import { continueNumbering, lastNumber, withoutTriggers } from './dialect.ts';
import { unmarkIncomplete } from './incomplete.ts';
import { keyOf, type TableName, tableNames } from './schema/tables.ts';

/**
 * Copies a database into another one, of the same engine or not. Rows go in the order of their keys, a batch at a time, so that a copy
 * resumes after the last row that the target has.
 */

export type Row = Record<string, unknown>;

/** How a row differs in the target. */
export type ChangeRow = (table: TableName, row: Row) => Row;

export interface Databases {
  source: Database;
  target: Database;
}

interface Watch {
  signal: AbortSignal;
  /** Called with the number of rows that were dealt with. */
  onRows(rows: number): void;
}

interface Copying extends Watch {
  change: ChangeRow;
}

const BATCH = 500;

/** The leases are those of the services on each database, and the target's search index is filled by its own jobs. */
const NOT_COPIED: ReadonlySet<TableName> = new Set(['leases', 'image_search_queue', 'image_search_words']);

/** All tables that are copied, those that others refer to first. */
export const COPIED_TABLES = tableNames.filter((table) => !NOT_COPIED.has(table));

const untyped = (queries: Queries) => queries as unknown as Kysely<Record<string, Row>>;

/** Whether a database has neither accounts nor pictures. */
export async function isUnused(read: Queries): Promise<boolean> {
  return (await countRows(read, 'users')) + (await countRows(read, 'images')) === 0;
}

/** Removes all rows of an unused database, except for leases. */
export async function clearTables(queries: Queries): Promise<void> {
  for (const table of tableNames.toReversed()) if (table !== 'leases') await untyped(queries).deleteFrom(table).execute();
}

export async function countRows(read: Queries, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(read);
  return rows[0]?.count ?? 0;
}

/** Copies the rows of a table that the target doesn't have yet. */
export async function copyTable({ source, target }: Databases, table: TableName, { change, ...watch }: Copying): Promise<void> {
  const present = await countRows(target.read, table);
  watch.onRows(present);
  const last = present > 0 ? await lastKey(target.read, table) : undefined;
  for await (const rows of batchesAfter(source.read, table, last, watch)) {
    const changed = rows.map((row) => change(table, row));
    if (changed.length > 0) await target.as('start').write((queries) => insertRows(queries, table, changed));
    watch.onRows(rows.length);
  }
}

/** Triggers would change counters and derived tables again, which are copied as they are. */
async function insertRows(queries: Queries, table: TableName, rows: Row[]): Promise<void> {
  await withoutTriggers(queries, table, async () => {
    await untyped(queries).insertInto(table).values(rows).execute();
  });
}

const keyOfRow = (table: TableName, row: Row) => keyOf(table).map((column) => row[column]);

/** The rows of a table in the order of their keys, {@link BATCH} at a time; the last batch has fewer, perhaps none. */
async function* batchesAfter(queries: Queries, table: TableName, last: readonly unknown[] | undefined, { signal }: Watch) {
  for (let after = last; ; ) {
    signal.throwIfAborted();
    const rows = await rowsAfter(queries, table, after);
    yield rows;
    if (rows.length < BATCH) return;
    after = keyOfRow(table, rows.at(-1) as Row);
  }
}

function rowsAfter(queries: Queries, table: TableName, after: readonly unknown[] | undefined): Promise<Row[]> {
  const columns = keyOf(table);
  let query = untyped(queries).selectFrom(table).selectAll().limit(BATCH);
  for (const column of columns) query = query.orderBy(column);
  if (after) query = query.where(sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) > (${sql.join(after)})`);
  return query.execute();
}

async function lastKey(queries: Queries, table: TableName): Promise<unknown[]> {
  let query = untyped(queries).selectFrom(table).selectAll().limit(1);
  for (const column of keyOf(table)) query = query.orderBy(column, 'desc');
  return keyOfRow(table, await query.executeTakeFirstOrThrow());
}

/** The number of a table's rows, and a hash of them all that doesn't depend on the engine. */
export async function digestTable(
  read: Queries,
  table: TableName,
  { change, ...watch }: Copying,
): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of batchesAfter(read, table, undefined, watch)) {
    for (const row of rows) hash.update(canonical(change(table, row)));
    count += rows.length;
    watch.onRows(rows.length);
  }
  return { rows: count, sha256: hash.digest('hex') };
}

/** A row as text. Not every database can store NUL, which becomes a replacement character there. */
function canonical(row: Row): string {
  const values = Object.keys(row)
    .sort()
    .map((name) => [name, typeof row[name] === 'string' ? row[name].replaceAll('\0', '\uFFFD') : row[name]]);
  return `${JSON.stringify(values)}\n`;
}

/** Makes a complete copy usable: ids of deleted rows aren't reused, and all images wait for the search index. */
export async function completeCopy(source: Database, target: Database): Promise<void> {
  const numbered = COPIED_TABLES.filter((table) => keyOf(table).join() === 'id');
  const numbers = new Map<TableName, number | undefined>();
  for (const table of numbered) numbers.set(table, await lastNumber(source.read, table));
  await target.as('start').write(async (queries) => {
    for (const [table, last] of numbers) if (last !== undefined) await continueNumbering(queries, table, last);
    await queries.deleteFrom('image_search_queue').execute();
    await queries.insertInto('image_search_queue').columns(['image_id']).expression(queries.selectFrom('images').select('id')).execute();
    await unmarkIncomplete(queries);
  });
}
