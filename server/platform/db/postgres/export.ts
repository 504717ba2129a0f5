import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { asUnavailable } from './fault.ts';
import { connectionConfig } from './pool.ts';

const ROWS_AT_ONCE = 1_000;

/** What the new file has of its own: the record of its migrations, and the search index, which is filled again from its queue. */
const NOT_COPIED = /^(sqlite_|kysely_|image_search)/;

/**
 * Writes all tables, as they are at one moment, into a database file that has been migrated: the format of backups, whichever
 * database the service uses.
 */
export async function exportDatabase(url: string, path: string): Promise<void> {
  const client = new Client(connectionConfig(url, 0));
  client.on('error', () => undefined); // it also ends the statement that is being waited for
  const file = new Sqlite(path, { fileMustExist: true });
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    file.pragma('foreign_keys = OFF'); // tables are copied in any order
    const triggers = select<{ name: string; sql: string }>(file, "select name, sql from sqlite_schema where type = 'trigger'");
    for (const { name } of triggers) file.exec(`drop trigger ${name}`);
    const tables = select<{ name: string }>(file, "select name from sqlite_schema where type = 'table'");
    for (const { name } of tables.filter((table) => !NOT_COPIED.test(table.name))) await copyTable(client, file, name);
    for (const trigger of triggers) file.exec(trigger.sql);
    file.exec('insert into image_search_queue (image_id) select id from images');
    file.pragma('journal_mode = DELETE'); // a single file, without a log beside it
  } catch (error) {
    throw error instanceof Sqlite.SqliteError ? error : asUnavailable(error);
  } finally {
    file.close();
    await client.end().catch(() => undefined);
  }
}

const select = <Row>(file: Sqlite.Database, text: string) => file.prepare(text).all() as Row[];

async function copyTable(client: Client, file: Sqlite.Database, table: string) {
  const columns = select<{ name: string }>(file, `pragma table_info(${table})`).map(({ name }) => `"${name}"`);
  file.exec(`delete from ${table}`);
  const insert = file.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`);
  const insertAll = file.transaction((rows: unknown[][]) => rows.forEach((row) => void insert.run(row)));
  await client.query(`declare copied cursor for select ${columns} from ${table}`);
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${ROWS_AT_ONCE} from copied`, rowMode: 'array' });
    if (rows.length === 0) break;
    insertAll(rows);
  }
  await client.query('close copied');
  await copyNumbering(client, file, table, columns.includes('"id"'));
}

/** Ids of deleted rows aren't reused. */
async function copyNumbering(client: Client, file: Sqlite.Database, table: string, hasId: boolean) {
  if (!hasId) return;
  const { rows } = await client.query<{ last: number | null }>(
    "select pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass) as last",
    [table],
  );
  const last = rows[0]?.last;
  if (!last) return;
  file.prepare('delete from sqlite_sequence where name = ?').run(table);
  file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, last);
}
