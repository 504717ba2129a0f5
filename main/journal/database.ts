import { closeSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Reason } from '#main/base/reasons.ts';
import { isMissing } from '#server/platform/files/missing.ts';
import { MIGRATIONS } from './migrations.ts';

/** How long to wait for another process that has the file open, such as a backup program. */
const BUSY_TIMEOUT_MS = 5_000;

/** The same for removing traces, which the user waits for. */
const ERASE_TIMEOUT_MS = 200;

/** SQLite's codes for a file that isn't a database, or is damaged: https://sqlite.org/rescode.html */
const DAMAGED = new Set([11, 26]);

/**
 * Opens the journal's file and brings its tables up to date. Each commit survives a power cut. A damaged file is set aside and
 * replaced by an empty one: the app must start, and only uploads that were still waiting are lost.
 * @throws Reason `newerJournal` when a newer version of the app wrote the file; the system's error when the folder can't be written
 */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return open(file);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const aside = `${file}.damaged-${Date.now()}`;
    console.error(`The upload journal is damaged. It was moved to ${aside} and replaced by an empty one:`, error);
    for (const suffix of ['', '-wal', '-shm']) moveIfPresent(file + suffix, aside + suffix);
    return open(file);
  }
}

function open(file: string) {
  // It may hold passwords of uploads that wait. SQLite gives its other files the same permissions.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;');
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** `user_version` counts the migrations that a file has had. */
function migrate(db: DatabaseSync) {
  const { user_version: done } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (done > MIGRATIONS.length) throw new Reason('newerJournal');
  MIGRATIONS.slice(done).forEach((migration, index) => {
    transaction(db, () => db.exec(`${migration}; PRAGMA user_version = ${done + index + 1}`));
  });
}

/** Runs statements in one commit; an error undoes them all. Inside another transaction they belong to that one's commit. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Removes what was deleted from the log of earlier versions; in the pages, `secure_delete` has overwritten it. While another process reads the
 * file, that isn't possible: the next call does it.
 */
export function erase(db: DatabaseSync): void {
  db.exec(`PRAGMA busy_timeout = ${ERASE_TIMEOUT_MS}; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

function isDamaged(error: unknown) {
  return error instanceof Error && 'errcode' in error && DAMAGED.has(Number(error.errcode) & 0xff);
}

function moveIfPresent(from: string, to: string) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
