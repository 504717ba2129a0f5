import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { CommandError, describeError } from '../errors.ts';
import type { FoundFile } from './walk.ts';

/** What an import is about. Another server, account or folder has a journal of its own. */
export interface ImportIdentity {
  baseUrl: string;
  token: string | undefined;
  /** Real path of the folder. */
  folder: string;
}

/** Nothing can be remembered, of any file. */
export class JournalError extends CommandError {}

type FileVersion = Pick<FoundFile, 'path' | 'size' | 'mtime'>;

/** Remembers on the disk which files have been uploaded, so that a second run takes only the rest. */
export interface Journal {
  has(file: FileVersion): boolean;
  /**
   * To be called after the server's answer: what is lost in a crash is recognised by the server instead.
   * @throws JournalError when the disk does not take it
   */
  add(file: FileVersion, key: string): void;
  forgetAll(): void;
  close(): void;
}

const NOTHING: Journal = { has: () => false, add: () => undefined, forgetAll: () => undefined, close: () => undefined };

/**
 * Opens the journal of an import, alone.
 * @throws CommandError when another import of the same folder is running
 */
export function openJournal(stateDir: string, identity: ImportIdentity): Journal {
  const path = journalPath(stateDir, identity);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(path, error);
  }
  return openDatabase(path);
}

/** The same for looking only: without an earlier run nothing is created. */
export function openJournalIfAny(stateDir: string, identity: ImportIdentity): Journal {
  const path = journalPath(stateDir, identity);
  return existsSync(path) ? openDatabase(path) : NOTHING;
}

/** A new token has a new journal: it may be another account's, or the server may have been set up anew. Only its hash is kept. */
function journalPath(stateDir: string, { baseUrl, token = '', folder }: ImportIdentity) {
  const name = createHash('sha256')
    .update(JSON.stringify([baseUrl, token, folder]))
    .digest('hex')
    .slice(0, 32);
  return join(stateDir, 'imports', `${name}.db`);
}

function openDatabase(path: string): Journal {
  const database = open(path);
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    // Survives the end of this process in any way. After a power cut the last entries may be missing, which costs a repeated upload.
    database.pragma('synchronous = NORMAL');
    database.exec('CREATE TABLE IF NOT EXISTS done (path BLOB PRIMARY KEY, size INTEGER, mtime INTEGER, key TEXT) WITHOUT ROWID');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new CommandError('Another import of this folder to this server is running.', { cause: error });
    throw unusable(path, error);
  }
  const find = database.prepare('SELECT 1 FROM done WHERE path = ? AND size = ? AND mtime = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?)');
  return {
    has: ({ path, size, mtime }) => find.get(path, size, mtime) !== undefined,
    add: (file, key) => {
      try {
        insert.run(file.path, file.size, file.mtime, key);
      } catch (error) {
        throw unusable(path, error);
      }
    },
    forgetAll: () => void database.exec('DELETE FROM done'),
    close: () => void database.close(),
  };
}

function open(path: string) {
  try {
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown) {
  return new JournalError(`The journal ${path} cannot be used: ${describeError(error)}`, { cause: error });
}
