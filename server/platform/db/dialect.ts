import Sqlite from 'better-sqlite3';
import {
  type ColumnDefinitionBuilder,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type RawBuilder,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { readList } from './lists.ts';
import type { Tables } from './schema/tables.ts';
import { type Owner, searchExpression, searchTokens } from './search-text.ts';

/**
 * Everything that is specific to SQLite is in this file; nothing else may depend on it.
 * PostgreSQL would be a second set of the same functions.
 */

/** The cause of a failed statement, which decides between 4xx, 503 and 507. */
export type DatabaseFault = 'unique' | 'busy' | 'full' | 'other';

export interface Dialects {
  writer: Dialect;
  reader: Dialect;
  /** A number that changes with each commit, by this process or another. */
  version(): number;
  /** Copies the state of the database at one moment into a new file, while reading and writing continue. */
  snapshot(path: string): Promise<void>;
  /** Closes both connections, used or not. */
  close(): void;
}

/** The two connections to the database file `path`: one for all writing, one that reads committed data. */
export function openDialects(path: string): Dialects {
  const opened: Sqlite.Database[] = [];
  const close = () => opened.forEach((connection) => void connection.close());
  const open = () => {
    const connection = new Sqlite(path);
    opened.push(connection);
    connection.pragma('busy_timeout = 5000');
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL'); // a commit survives a power cut
    connection.pragma('foreign_keys = ON');
    if (process.platform === 'darwin') connection.pragma('fullfsync = ON'); // fsync alone stays in the drive's cache there
    connection.function('search_tokens', { deterministic: true, varargs: true }, (owner, tags, ...texts) =>
      searchTokens(owner as Owner, ...texts.map(String), ...readList<string>(String(tags))),
    );
    return connection;
  };
  const [writer, reader] = orElse(() => [open(), open()] as const, close);
  reader.pragma('query_only = ON');
  const version = reader.prepare<[], number>('pragma data_version').pluck();
  return {
    writer: new WriterDialect(writer),
    reader: new SqliteDialect({ database: keepStatements(reader) }),
    version: () => version.get() as number,
    // Through the writing connection, whose writes are added to the copy; those of another connection would restart it.
    snapshot: (target) => writer.backup(target, { progress: () => PAGES_AT_ONCE }).then(() => makePlain(target)),
    close,
  };
}

class WriterDialect extends SqliteDialect {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: keepStatements(connection) });
    this.#connection = connection;
  }

  override createAdapter() {
    return new WriterAdapter();
  }

  override createDriver() {
    return new WriterDriver(this.#connection);
  }
}

/** Kysely would commit every statement of a migration by itself, so that one which a crash interrupts could never be run again. */
class WriterAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** A full disk ends a transaction. Rolling it back again would fail, and hide the reason. */
class WriterDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: keepStatements(connection) });
    this.#connection = connection;
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** The result of `work`; `otherwise` runs before its error is thrown. */
function orElse<T>(work: () => T, otherwise: () => void): T {
  try {
    return work();
  } catch (error) {
    otherwise();
    throw error;
  }
}

const MAX_STATEMENTS = 500;

/** Keeps prepared statements: preparing takes longer than running them, and Kysely would prepare each one again. They must not be iterated over, which would block them for others. */
function keepStatements(connection: Sqlite.Database): SqliteDatabase {
  const statements = new LRUCache<string, Sqlite.Statement>({ max: MAX_STATEMENTS, memoMethod: (text) => connection.prepare(text) });
  return { prepare: (text) => statements.memo(text), close: () => void connection.close() };
}

/** Pages that a snapshot copies before other work runs, which takes a few milliseconds. */
const PAGES_AT_ONCE = 1_000;

/** Turns a database into a single file without a log beside it. */
function makePlain(path: string) {
  const copy = new Sqlite(path);
  copy.pragma('journal_mode = DELETE');
  copy.close();
}

/** A database file that is only read, such as a snapshot. */
export function openReadOnly(path: string): Dialect {
  return new SqliteDialect({ database: new Sqlite(path, { readonly: true, fileMustExist: true }) });
}

/** Tables that Kysely and SQLite's full-text search create: their wording may change with their versions. */
const OF_LIBRARIES = /^(kysely_migration|kysely_migration_lock|image_search_(data|idx|docsize|config))$/;

/**
 * The definitions of all tables, indices, triggers and views of an untrusted database file, in a stable order.
 * Undefined when the file is damaged or isn't a database.
 */
export function inspectDatabase(path: string): string[] | undefined {
  const connection = new Sqlite(path, { fileMustExist: true });
  try {
    connection.pragma('trusted_schema = OFF');
    if (connection.pragma('quick_check', { simple: true }) !== 'ok') return undefined;
    const parts = connection.prepare('select type, name, sql from sqlite_schema').all() as { type: string; name: string; sql: string }[];
    const columns = (table: string) => JSON.stringify(connection.pragma(`table_xinfo('${table}')`));
    return parts
      .map(({ type, name, sql: text }) => `${type} ${name} ${type === 'table' && OF_LIBRARIES.test(name) ? columns(name) : text}`)
      .sort();
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) return undefined;
    throw error;
  } finally {
    connection.close();
  }
}

/** Faults of a database file; all lists are empty when it is sound. */
export interface DatabaseFaults {
  /** Lost or contradictory pages. */
  damage: string[];
  /** Indices that don't match their tables; {@link rebuildIndices} repairs them. */
  indices: string[];
  /** Rows that refer to rows that don't exist, by table. */
  references: { table: string; parent: string; rows: number }[];
}

const OF_AN_INDEX = /missing from index|in index|wrong # of entries/;

/** Checks a whole database file, which no other process may write meanwhile. Takes about a second per 100 MB. */
export function checkDatabase(path: string): DatabaseFaults {
  try {
    const connection = new Sqlite(path, { fileMustExist: true });
    try {
      const messages = connection.pragma('integrity_check') as { integrity_check: string }[];
      const found = messages.map((row) => row.integrity_check).filter((text) => text !== 'ok');
      const broken = connection.pragma('foreign_key_check') as { table: string; parent: string }[];
      const references = Map.groupBy(broken, ({ table, parent }) => JSON.stringify([table, parent]));
      return {
        damage: found.filter((text) => !OF_AN_INDEX.test(text)),
        indices: found.filter((text) => OF_AN_INDEX.test(text)),
        references: [...references.values()].map((rows) => ({ ...(rows[0] as (typeof broken)[0]), rows: rows.length })),
      };
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code))
      return { damage: [error.message], indices: [], references: [] };
    throw error;
  }
}

/** Builds all indices of a database file again from its tables. */
export function rebuildIndices(path: string): void {
  const connection = new Sqlite(path, { fileMustExist: true });
  try {
    connection.exec('reindex');
  } finally {
    connection.close();
  }
}

/** The fault behind an error; undefined when the error isn't the database's. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Sqlite.SqliteError)) return undefined;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'unique';
  if (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (error.code.startsWith('SQLITE_FULL')) return 'full';
  return 'other';
}

/** An automatically numbered primary key. */
export const numberedKey = (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement();

/**
 * Triggers keep what is derived from `images` up to date: the table of tags immediately, and a queue of images for the search
 * index. Indexing each row immediately would double the cost of an upload.
 */
export async function createImageSearch(db: Kysely<unknown>): Promise<void> {
  const queued = sql`insert or ignore into image_search_queue (image_id)`;
  const tagged = sql`insert or ignore into image_tags (owner_id, tag, image_id)`;
  const statements = [
    sql`create virtual table image_search using fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
    sql`create table image_search_queue (image_id integer primary key)`,
    sql`${queued} select id from images`,
    sql`${tagged} select owner_id, value, images.id from images, json_each(images.tags) where owner_id is not null`,
    sql`create trigger images_inserted after insert on images begin
      ${queued} values (new.id);
      ${tagged} select new.owner_id, value, new.id from json_each(new.tags) where new.owner_id is not null;
    end`,
    sql`create trigger images_renamed after update of name, tags on images begin
      ${queued} values (new.id);
    end`,
    sql`create trigger images_tagged after update of tags, owner_id on images begin
      delete from image_tags where image_id = old.id;
      ${tagged} select new.owner_id, value, new.id from json_each(new.tags) where new.owner_id is not null;
    end`,
    sql`create trigger images_deleted after delete on images begin
      delete from image_search where rowid = old.id;
      delete from image_search_queue where image_id = old.id;
      delete from image_tags where image_id = old.id;
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Has every change of a title, caption or alternative text queued for the search index as well. */
export async function searchDescriptions(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger images_renamed`.execute(db);
  await sql`create trigger images_described after update of name, tags, title, caption, alt on images begin
    insert or ignore into image_search_queue (image_id) values (new.id);
  end`.execute(db);
}

/** Gives each owner an index of their own within the search index, which is filled again, and has every change of owner queued for it. */
export async function searchByOwner(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`drop trigger images_described`,
    sql`create trigger images_described after update of name, tags, title, caption, alt, owner_id on images begin
      insert or ignore into image_search_queue (image_id) values (new.id);
    end`,
    sql`insert into image_search (image_search) values ('delete-all')`,
    sql`insert or ignore into image_search_queue (image_id) select id from images`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/**
 * Triggers count the changes to a user's images in `users.library_version`. Views and placeholders don't count: neither changes which
 * images a list has. An image whose bytes are replaced loses its placeholder.
 */
export async function createLibraryVersions(db: Kysely<unknown>): Promise<void> {
  const bump = (owner: 'old' | 'new') =>
    sql`update users set library_version = library_version + 1 where id = ${sql.ref(`${owner}.owner_id`)}`;
  const same = (column: string) => sql`${sql.ref(`old.${column}`)} is ${sql.ref(`new.${column}`)}`;
  const statements = [
    sql`create trigger library_grown after insert on images begin ${bump('new')}; end`,
    sql`create trigger library_shrunk after delete on images begin ${bump('old')}; end`,
    sql`create trigger library_changed after update on images
      when ${same('views')} and ${same('limited_views')} and ${same('thumbhash')} begin
      ${bump('old')};
      update users set library_version = library_version + 1 where id = new.owner_id and new.owner_id is not old.owner_id;
    end`,
    sql`create trigger images_replaced after update of sha256 on images when not ${same('sha256')} begin
      update images set thumbhash = null where id = new.id;
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Adds up to `limit` changed images to the search index; returns their number. */
export async function indexChangedImages(queries: Kysely<Tables>, limit: number): Promise<number> {
  const changed = sql`select image_id from image_search_queue order by image_id limit ${limit}`;
  await sql`delete from image_search where rowid in (${changed})`.execute(queries);
  await sql`insert into image_search (rowid, tokens) select id, search_tokens(owner_id, tags, name, title, caption, alt) from images where id in (${changed})`.execute(
    queries,
  );
  const { numAffectedRows } = await sql`delete from image_search_queue where image_id in (${changed})`.execute(queries);
  return Number(numAffectedRows ?? 0);
}

/** Owners per query of the search index, whose parser has a limit. */
const OWNERS_AT_ONCE = 200;

/** The condition that a row of `images` is one of these owners' and that its texts or tags contain every part of a search text. */
export function matchesSearch(typed: string, owners: readonly Owner[]): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [];
  for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
    const wanted = searchExpression(typed, owners.slice(from, from + OWNERS_AT_ONCE));
    if (wanted) conditions.push(sql<boolean>`images.id in (select rowid from image_search where image_search match ${wanted})`);
  }
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** The ids of up to `limit` images of an owner that {@link matchesSearch} selects. */
export async function findMatches(queries: Kysely<Tables>, typed: string, owner: Owner, limit: number): Promise<number[]> {
  const wanted = searchExpression(typed, [owner]);
  if (!wanted) return [];
  const { rows } = await sql<{ rowid: number }>`select rowid from image_search where image_search match ${wanted} limit ${limit}`.execute(
    queries,
  );
  return rows.map(({ rowid }) => rowid);
}

/** Locks `path` exclusively until released or the process ends in any way; undefined when another process holds the lock. */
export function lockFile(path: string): { release(): void } | undefined {
  const connection = new Sqlite(path, { timeout: 0 });
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('begin exclusive');
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (databaseFault(error) === 'busy') return undefined;
    throw error;
  }
}

/** The name and version of the database, for display. */
export async function databaseVersion(queries: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(queries);
  return `SQLite ${rows[0]?.version}`;
}

/** The year, as text in UTC, of a column that holds milliseconds since 1970. */
export const yearOf = (column: string) => sql<string>`strftime('%Y', ${sql.ref(column)} / 1000, 'unixepoch')`;

/** The condition that a column contains a text; `%` and `_` in it mean themselves. Compare keys (`toKey`) with keys. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
