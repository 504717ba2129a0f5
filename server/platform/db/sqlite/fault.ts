import Sqlite from 'better-sqlite3';
import type { DatabaseFault } from '../engine.ts';

/** The fault behind an error; undefined when the error isn't the database's. */
export function sqliteFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Sqlite.SqliteError)) return undefined;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'unique';
  if (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (error.code.startsWith('SQLITE_FULL')) return 'full';
  if (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB') return 'damaged';
  return 'other';
}
