import { createHash, createHmac } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FormFields } from '#api/images/upload.ts';
import { CommandError, describeError } from '../errors.ts';
import type { PictureFile } from './picture.ts';

/** Identifies an import. Each server, token and folder has a journal of its own. */
export interface ImportIdentity {
  baseUrl: string;
  token: string | undefined;
  /** Real path of the folder, or what else is imported. */
  folder: string;
}

/** SQLite's code for a database that another process has locked: https://sqlite.org/rescode.html */
const BUSY = 5;

/** The journal can't be written, whatever the file. */
export class JournalError extends CommandError {}

type FileVersion = Pick<PictureFile, 'path' | 'size' | 'mtime'>;

/** What is kept of a picture from another product: its new address, and size and SHA-256 on both sides, those of the server if it told them. */
export interface Brought {
  url: string;
  source: { size: number; sha256: string };
  result: { size: number; sha256: string } | undefined;
}

/** Records on disk which files have been uploaded, so that another run uploads only the rest. */
export interface Journal extends Disposable {
  has(file: FileVersion): boolean;
  /** The key of an uploaded file's image; undefined if it has been deleted since, or the file isn't uploaded. */
  keyOf(file: FileVersion): string | undefined;
  /**
   * Call it after the server's response: the server recognises uploads whose entry a crash has lost by their keys.
   * @param key the image's; undefined if it has been deleted since
   * @throws JournalError if it can't be written
   */
  add(file: FileVersion, key: string | undefined, brought?: Brought): void;
  /** What was kept of it. */
  broughtOf(file: FileVersion): Brought | undefined;
  /**
   * The `Idempotency-Key` of a file's upload with these fields: the same in every run until the journal is cleared. Undefined if there
   * is no journal yet.
   */
  uploadKey(file: FileVersion, fields: FormFields): string | undefined;
  forgetAll(): void;
}

const EMPTY: Journal = {
  has: () => false,
  keyOf: () => undefined,
  add: () => undefined,
  broughtOf: () => undefined,
  uploadKey: () => undefined,
  forgetAll: () => undefined,
  [Symbol.dispose]: () => undefined,
};

/**
 * Opens the journal of an import exclusively.
 * @throws CommandError if another import of the same folder is running
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

/** The same for reading: creates nothing if there was no earlier run. */
export function openJournalIfAny(stateDir: string, identity: ImportIdentity): Journal {
  const path = journalPath(stateDir, identity);
  return existsSync(path) ? openDatabase(path) : EMPTY;
}

/** A new token has a new journal: it may belong to another account, or the server may have been set up again. Only its hash is stored. */
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
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    writeDurably(
      database,
      `CREATE TABLE IF NOT EXISTS done (path BLOB PRIMARY KEY, size INTEGER, mtime INTEGER, key TEXT) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS brought (path BLOB PRIMARY KEY, brought TEXT NOT NULL) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS secret (value BLOB NOT NULL);
       INSERT INTO secret SELECT randomblob(32) WHERE NOT EXISTS (SELECT 1 FROM secret);`,
    );
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new CommandError('Another import of this folder to this server is already running.', { cause: error });
    throw unusable(path, error);
  }
  const find = database.prepare('SELECT key FROM done WHERE path = ? AND size = ? AND mtime = ?');
  const secret = database.prepare('SELECT value FROM secret');
  const insert = database.prepare('INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?)');
  const keep = database.prepare('INSERT OR REPLACE INTO brought VALUES (?, ?)');
  const kept = database.prepare('SELECT brought FROM brought WHERE path = ?');
  return {
    has: ({ path, size, mtime }) => find.get(path, size, mtime) !== undefined,
    keyOf: ({ path, size, mtime }) => (find.get(path, size, mtime)?.key as string | null | undefined) ?? undefined,
    add: (file, key, brought) => {
      try {
        if (brought) keep.run(file.path, JSON.stringify(brought));
        insert.run(file.path, file.size, file.mtime, key ?? null);
      } catch (error) {
        throw unusable(path, error);
      }
    },
    broughtOf: ({ path }) => {
      const found = kept.get(path)?.brought as string | undefined;
      return found === undefined ? undefined : (JSON.parse(found) as Brought);
    },
    // The password is among the fields: without the secret, a hash of it would be easy to guess.
    uploadKey: ({ path, size, mtime }, fields) =>
      createHmac('sha256', secret.get()?.value as Uint8Array)
        .update(JSON.stringify([path, size, String(mtime), Object.entries(fields).sort()]))
        .digest('hex'),
    forgetAll: () => writeDurably(database, 'DELETE FROM done; DELETE FROM brought; UPDATE secret SET value = randomblob(32);'),
    [Symbol.dispose]: () => void database.close(),
  };
}

/**
 * Runs statements in one exclusive transaction that survives a power cut. Entries only survive any end of this process: after a power cut the
 * last ones may be missing, which costs a repeated upload.
 */
function writeDurably(database: DatabaseSync, statements: string) {
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`BEGIN EXCLUSIVE; ${statements} COMMIT`);
  database.exec('PRAGMA synchronous = NORMAL');
}

function open(path: string) {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Whether another process has the database open. Extended codes contain the code in their lowest byte. */
function isBusy(error: unknown) {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY;
}

function unusable(path: string, error: unknown) {
  return new JournalError(`Can’t use the journal ${path}: ${describeError(error)}`, { cause: error });
}
