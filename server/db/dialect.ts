import Sqlite from 'better-sqlite3';
import { type ColumnDefinitionBuilder, type Dialect, SqliteDialect } from 'kysely';

/**
 * Everything that differs between databases stands in this file; nothing else may know which one runs.
 * PostgreSQL comes as a second set of the same functions.
 */

/** How a failed statement is answered: by whom it was caused decides between 4xx, 503 and 507. */
export type DatabaseFault = 'unique' | 'busy' | 'full' | 'other';

/** The two connections to the database file `path`: all writing goes through one, reading sees what is committed. */
export function openDialects(path: string): { writer: Dialect; reader: Dialect } {
  const open = () => {
    const connection = new Sqlite(path);
    connection.pragma('busy_timeout = 5000');
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL'); // a commit survives a power cut
    connection.pragma('foreign_keys = ON');
    if (process.platform === 'darwin') connection.pragma('fullfsync = ON'); // fsync alone stays in the drive's cache there
    return connection;
  };
  const writer = open();
  const reader = open();
  reader.pragma('query_only = ON');
  return { writer: new SqliteDialect({ database: writer }), reader: new SqliteDialect({ database: reader }) };
}

/** What kind of fault an error from a statement is; undefined when it is not the database's. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Sqlite.SqliteError)) return undefined;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'unique';
  if (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (error.code.startsWith('SQLITE_FULL')) return 'full';
  return 'other';
}

/** A numbered primary key. */
export const numberedKey = (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement();

/** Holds an exclusive lock on `path` until closed or the process ends, however it ends; undefined when another process has it. */
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
