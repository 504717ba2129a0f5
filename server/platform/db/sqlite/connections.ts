import Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Connections } from '../engine.ts';
import { type Log, openLog } from './log.ts';

export interface Dialects {
  writer: Dialect;
  reader: Dialect;
  /** A number that changes with each commit, by this process or another. */
  version(): number;
  /** Sets whether the undo data of the next transactions' savepoints is kept in memory instead of a temporary file. */
  undoInMemory(inMemory: boolean): void;
  /**
   * From now on, statements don't wait for the disk or for another process that is writing, since SQLite would block this one: they fail at once
   * in the latter case, and commits are durable only after {@link flush}.
   */
  dontBlock(): void;
  flush: Log['flush'];
  makeWhole: Log['makeWhole'];
  onImagesChanged: Connections['onImagesChanged'];
  /** Calls the listeners of {@link onImagesChanged} with what has changed since the last time. */
  reportImages(): void;
  /** Copies the state of the database at one moment into a new file, while reading and writing continue. */
  snapshot(path: string): Promise<void>;
  /** Closes both connections, used or not. */
  close(): Promise<void>;
}

/** The two connections to the database file `path`: one for all writing, one that reads committed data. */
export async function openDialects(path: string): Promise<Dialects> {
  const opened: Sqlite.Database[] = [];
  const close = () => opened.forEach((connection) => void connection.close());
  const connect = () => {
    const connection = new Sqlite(path);
    opened.push(connection);
    connection.pragma('busy_timeout = 5000');
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL'); // a commit survives a power cut
    connection.pragma('foreign_keys = ON');
    if (process.platform === 'darwin') connection.pragma('fullfsync = ON'); // fsync alone stays in the drive's cache there
    return connection;
  };
  const [writer, reader] = orElse(() => [connect(), connect()] as const, close);
  reader.pragma('query_only = ON');
  const log = await openLog(`${path}-wal`, (work) => withLock(writer, work)).catch((error: unknown) => {
    close();
    throw error;
  });
  let isUndoneInMemory = false;
  let isBlocking = true;
  const images = createChangedImages();
  const version = reader.prepare<[], number>('pragma data_version').pluck();
  return {
    writer: new WriterDialect(writer),
    reader: new SqliteDialect({ database: keepStatements(reader) }),
    version: () => version.get() as number,
    undoInMemory(inMemory) {
      if (inMemory === isUndoneInMemory) return;
      writer.pragma(`temp_store = ${inMemory ? 'memory' : 'default'}`);
      noteImages(writer); // that has dropped the triggers
      isUndoneInMemory = inMemory;
    },
    dontBlock() {
      if (!isBlocking) return;
      writer.pragma('busy_timeout = 0');
      writer.pragma('synchronous = NORMAL'); // the log is flushed before its pages are moved to the database, not with each commit
      writer.function('note_image', images.note);
      noteImages(writer);
      isBlocking = false;
    },
    flush: log.flush,
    makeWhole: log.makeWhole,
    onImagesChanged: images.onChange,
    reportImages: images.report,
    // Through the writing connection, whose writes are added to the copy; those of another connection would restart it.
    snapshot: (target) => writer.backup(target, { progress: () => PAGES_AT_ONCE }).then(() => makePlain(target)),
    async close() {
      try {
        await log.close(); // first: SQLite moves the log to the database and deletes it, which Windows couldn't
      } finally {
        close();
      }
    },
  };
}

/** Runs `work` while no other connection writes. @throws Error `SQLITE_BUSY` while one does */
function withLock(writer: Sqlite.Database, work: () => void) {
  writer.exec('begin immediate');
  try {
    work();
  } finally {
    writer.exec('rollback');
  }
}

/** Has the function `note_image` called with the key of every image that a statement changes or deletes, by triggers of this connection only. */
function noteImages(writer: Sqlite.Database) {
  for (const event of ['update', 'delete'])
    writer.exec(`create temp trigger image_${event}_noted after ${event} on main.images begin select note_image(old.key); end`);
}

/** More changed images than this are reported as all, which limits memory. */
const MAX_CHANGED = 10_000;

/** Collects the keys of changed images until they are reported. */
function createChangedImages() {
  const listeners: Parameters<Connections['onImagesChanged']>[0][] = [];
  let changed = new Set<string>();
  return {
    /** A function of SQL, which needs a result. */
    note(key: string): null {
      if (changed.size <= MAX_CHANGED) changed.add(key);
      return null;
    },
    onChange: (listener: (typeof listeners)[number]) => void listeners.push(listener),
    report() {
      if (changed.size === 0) return;
      const keys = changed.size > MAX_CHANGED ? undefined : changed;
      changed = new Set();
      for (const listener of listeners) listener(keys);
    },
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

/** Kysely would commit each statement of a migration separately: a migration that a crash interrupts could never run again. */
class WriterAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class WriterDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: keepStatements(connection) });
    this.#connection = connection;
  }

  /** Takes the lock at the beginning: if another process holds it, nothing has been read or written yet. */
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** A full disk ends a transaction. Rolling it back again would fail, and hide the reason. */
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
