import { Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { openDialects, openReadOnly } from './dialect.ts';
import { migrate } from './migrate.ts';
import type { Tables } from './schema/tables.ts';

/** Runs queries: the reading side, or one unit of writing. */
export type Queries = Kysely<Tables>;

export interface Database {
  /** Reads committed data. Writing through it fails. */
  read: Queries;
  /**
   * Runs one unit of writing and resolves once it is durable: all of it, or nothing when `work` throws.
   * Units that arrive together share one commit and thus one wait for the disk.
   * `work` must only await queries, since it blocks all others.
   */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * The result of `read`, from memory while nothing at all has been written since, by this process or another. It needs no
   * invalidation.
   * @param key identifies the query; the result is shared and must not be changed
   */
  cached<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Copies the state of the database at one moment into a new file at `path`, while reading and writing continue. */
  snapshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Limits a commit, so that its first unit doesn't wait for a flood of others. */
const MAX_UNITS_PER_COMMIT = 64;
const MAX_CACHED = 1_000;

interface Unit {
  work(queries: Queries): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Opens the database file and brings its schema up to date.
 * @throws ConfigError when a newer version of Pixdock has written it
 */
export async function openDatabase(path: string): Promise<Database> {
  const dialects = openDialects(path);
  const writer = new Kysely<Tables>({ dialect: dialects.writer });
  await migrate(writer).catch((error: unknown) => {
    dialects.close();
    throw error;
  });
  const read = new Kysely<Tables>({ dialect: dialects.reader });
  const queue = createWriteQueue(writer);
  return {
    read,
    write: queue.write,
    cached: createReadCache(dialects.version),
    snapshot: dialects.snapshot,
    async close() {
      await queue.idle();
      await read.destroy();
      await writer.destroy();
    },
  };
}

/** Opens a snapshot for reading, without migrating it: its schema may be older. */
export function openSnapshot(path: string): { read: Queries; close(): Promise<void> } {
  const read = new Kysely<Tables>({ dialect: openReadOnly(path) });
  return { read, close: () => read.destroy() };
}

function createReadCache(version: () => number): Database['cached'] {
  const results = new LRUCache<string, { value: unknown; version: number }>({ max: MAX_CACHED });
  return async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // Before reading: a result that is newer than its version is merely read once more.
    const now = version();
    const known = results.get(key);
    if (known?.version === now) return known.value as T;
    const value = await read();
    results.set(key, { value, version: now });
    return value;
  };
}

function createWriteQueue(writer: Queries) {
  const waiting: Unit[] = [];
  let running: Promise<void> | undefined;

  async function run() {
    // One turn of the event loop lets uploads that finish together commit together.
    await new Promise(setImmediate);
    while (waiting.length) await commit(writer, waiting.splice(0, MAX_UNITS_PER_COMMIT));
    running = undefined;
  }

  return {
    write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        running ??= run();
      });
    },
    async idle() {
      while (running) await running;
    },
  };
}

/** Runs units in one transaction, each in a savepoint; they resolve only after the commit. */
async function commit(writer: Queries, units: Unit[]) {
  const settle: (() => void)[] = [];
  try {
    await writer.transaction().execute(async (transaction) => {
      for (const unit of units) settle.push(await runUnit(transaction, unit));
    });
  } catch (error) {
    for (const unit of units) unit.reject(error);
    return;
  }
  for (const settleUnit of settle) settleUnit();
}

async function runUnit(transaction: Queries, unit: Unit): Promise<() => void> {
  await sql`savepoint unit`.execute(transaction);
  try {
    const value = await unit.work(transaction);
    await sql`release savepoint unit`.execute(transaction);
    return () => unit.resolve(value);
  } catch (error) {
    // A full disk ends the whole transaction: then there is no savepoint, and every unit fails for that reason.
    await sql`rollback to savepoint unit`.execute(transaction).catch(() => {
      throw error;
    });
    await sql`release savepoint unit`.execute(transaction);
    return () => unit.reject(error);
  }
}
