import Sqlite from 'better-sqlite3';
import { type Dialect, SqliteDialect } from 'kysely';
import { sqliteFault } from './sqlite/fault.ts';

/**
 * Database files that no service is writing: snapshots, which backups consist of whichever database the service uses, and locks.
 */

/** A database file that is only read, such as a snapshot. */
export function openReadOnly(path: string): Dialect {
  return new SqliteDialect({ database: new Sqlite(path, { readonly: true, fileMustExist: true }) });
}

/** Tables that Kysely and SQLite's full-text search create: their wording may change with their versions. */
const OF_LIBRARIES = /^(kysely_migration|kysely_migration_lock|image_search_(data|idx|docsize|config))$/;

/**
 * The definitions of all tables, indices, triggers and views of an untrusted database file, in a stable order: those of two files with
 * the same schema are equal. Undefined when the file is damaged or isn't a database.
 */
export function inspectDatabase(path: string): string[] | undefined {
  const connection = new Sqlite(path, { fileMustExist: true });
  try {
    connection.pragma('trusted_schema = OFF');
    if (connection.pragma('quick_check', { simple: true }) !== 'ok') return undefined;
    const parts = connection.prepare('select type, name, sql from sqlite_schema').all() as { type: string; name: string; sql: string }[];
    const tableOf = (table: string, text: string) =>
      OF_LIBRARIES.test(table) ? JSON.stringify(connection.pragma(`table_xinfo('${table}')`)) : inOneOrder(text);
    return parts
      .map(({ type, name, sql: text }) => `${type} ${name} ${type === 'table' ? tableOf(name, text) : text?.replace(/\s+/g, ' ')}`)
      .sort();
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) return undefined;
    throw error;
  } finally {
    connection.close();
  }
}

/** The definition of a table with its columns and constraints in one order: a step adds columns at the end, wherever they are declared. */
function inOneOrder(definition: string): string {
  const [from, to] = [definition.indexOf('(') + 1, definition.lastIndexOf(')')];
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const character of definition.slice(from, to)) {
    if (quote) quote = character === quote ? '' : quote;
    else if (/['"`]/.test(character)) quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    if (character === ',' && depth === 0 && !quote) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return `${definition.slice(0, from)}${parts.map((part) => part.trim()).sort()}${definition.slice(to)}`;
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

/** Locks `path` exclusively until released or the process ends in any way; undefined when another process holds the lock. */
export function lockFile(path: string): { release(): void } | undefined {
  const connection = new Sqlite(path, { timeout: 0 });
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('begin exclusive');
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (sqliteFault(error) === 'busy') return undefined;
    throw error;
  }
}
