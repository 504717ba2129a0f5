import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { databaseFault, engineFor } from './dialect.ts';
import type { Connections, UnitSize } from './engine.ts';
import { openReadOnly } from './files.ts';
import { requireComplete } from './incomplete.ts';
import { migrate, migrateEmpty, requireCurrent } from './migrate.ts';
import type { Tables } from './schema/tables.ts';

/** Runs queries: the reading side, or one unit of writing. */
export type Queries = Kysely<Tables>;

type Listener = (message: string | undefined) => void;

export interface Database {
  /**
   * Whether other services may write at any time. What must be right at once, such as who may see what, is then not kept in memory;
   * what may lag by a second follows announcements (decision 088).
   */
  readonly isShared: boolean;
  /** Reads committed data. Writing through it fails. */
  read: Queries;
  /**
   * Runs one unit of writing and resolves once it is durable: all of it, or nothing when `work` throws.
   * Units that arrive together share one commit and thus one wait for the disk.
   * `work` must only await queries, since it blocks all others.
   */
  write<T>(work: (queries: Queries) => Promise<T>, size?: UnitSize): Promise<T>;
  /** The number of units that haven't been committed yet. */
  queued(): number;
  /**
   * The result of `read`, from memory while nothing at all has been written since, by this process or another. It needs no
   * invalidation.
   * @param key identifies the query; the result is shared and must not be changed
   */
  cached<T>(key: string, read: () => Promise<T>): Promise<T>;
  /**
   * Calls `listener` with every message that another process announces, and with undefined whenever some may have been lost.
   * @param from `all`: this process's own messages as well, once they are committed
   */
  onAnnouncement(listener: Listener, from?: 'others' | 'all'): void;
  /** Copies the state of the database at one moment into a new database file at `path`, while reading and writing continue. */
  snapshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Limits a commit, so that its first unit doesn't wait for a flood of others. */
const MAX_UNITS_PER_COMMIT = 64;
const MAX_CACHED = 1_000;
/** How long units wait while another process is writing. Reading continues, so that only those who write notice it. */
const MAX_LOCKED_MS = 5_000;
const LOCKED_RETRY_MS = 20;

interface Unit extends UnitSize {
  /** When it joined the queue. */
  since: number;
  work(queries: Queries): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** What happens to the schema; that of a copy's target, which may be incomplete, isn't changed where there is one. */
const PREPARE = { service: migrate, source: requireCurrent, target: migrateEmpty };

/**
 * Opens a database and brings its schema up to date.
 * @param target the path of a database file, or the URL of a database
 * @param use what for; copying, see {@link PREPARE}
 * @throws ConfigError when it can't be used, is incomplete, or a newer version of Pixdock has written it
 */
export async function openDatabase(target: string, use: keyof typeof PREPARE = 'service'): Promise<Database> {
  const engine = engineFor(target);
  const connections = await engine.open(target);
  try {
    await PREPARE[use](connections.writer);
    if (use !== 'target') await requireComplete(connections.read);
  } catch (error) {
    await connections.close();
    throw error;
  }
  const listeners: Listener[] = [];
  const queue = createWriteQueue(connections.transact, (message) => {
    for (const listener of listeners) listener(message);
  });
  return {
    isShared: engine.isShared,
    read: connections.read,
    write: queue.write,
    queued: queue.length,
    onAnnouncement(listener, from = 'others') {
      connections.onAnnouncement(listener);
      if (from === 'all') listeners.push(listener);
    },
    cached: createReadCache(connections.version),
    snapshot: (path) => connections.snapshot(path, async (file) => (await openDatabase(file)).close()),
    async close() {
      await queue.idle();
      await connections.close();
    },
  };
}

/** Opens a snapshot for reading, without migrating it: its schema may be older. */
export function openSnapshot(path: string): { read: Queries; close(): Promise<void> } {
  const read = new Kysely<Tables>({ dialect: openReadOnly(path) });
  return { read, close: () => read.destroy() };
}

/** Opens the database of a URL for reading, without migrating it: its schema may be older. @throws ConfigError when it can't be used */
export async function openUnmigrated(url: string): Promise<Pick<Database, 'read' | 'close'>> {
  const { read, close } = await engineFor(url).open(url);
  return { read, close };
}

function createReadCache(version: Connections['version']): Database['cached'] {
  const results = new LRUCache<string, { value: unknown; version: number }>({ max: MAX_CACHED });
  return async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // Before reading: a result that is newer than its version is merely read once more.
    const now = version();
    if (now === undefined) return await read();
    const known = results.get(key);
    if (known?.version === now) return known.value as T;
    const value = await read();
    results.set(key, { value, version: now });
    return value;
  };
}

/** The announcements of the units of each transaction so far. */
const announced = new WeakMap<Queries, string[]>();

/** Sends a message of at most 7,000 bytes to all processes on this database once the unit of `queries` commits; drops it if the unit fails. */
export function announce(queries: Queries, message: string): void {
  const messages = announced.get(queries);
  if (!messages) throw new Error('only a unit of writing can announce anything');
  messages.push(message);
}

/** @param onCommitted called with each announcement of a commit */
function createWriteQueue(transact: Connections['transact'], onCommitted: (message: string) => void) {
  const waiting: Unit[] = [];
  let running: Promise<void> | undefined;
  let committing = 0;
  /** Since when another process has been writing; undefined: as far as is known, none is. */
  let lockedSince: number | undefined;

  async function run() {
    // One turn of the event loop lets uploads that finish together commit together.
    await new Promise(setImmediate);
    while (waiting.length) {
      await commit(waiting.splice(0, MAX_UNITS_PER_COMMIT));
      if (lockedSince !== undefined) await delay(LOCKED_RETRY_MS);
    }
    running = undefined;
  }

  /** Runs units in one transaction, each in a savepoint; they resolve only after the commit. */
  async function commit(units: Unit[]) {
    let done: { settle: (() => void)[]; messages: string[] };
    let hasBegun = false;
    committing = units.length;
    try {
      const isSmall = units.every((unit) => unit.isSmall);
      done = await transact(
        async (transaction) => {
          hasBegun = true;
          lockedSince = undefined;
          const messages: string[] = [];
          announced.set(transaction, messages);
          const settle: (() => void)[] = [];
          for (const unit of units) settle.push(await runUnit(transaction, unit, messages));
          return { value: { settle, messages }, messages };
        },
        { isSmall },
      );
    } catch (error) {
      if (!hasBegun && databaseFault(error) === 'busy') putBack(units, error);
      else for (const unit of units) unit.reject(error);
      return;
    } finally {
      committing = 0;
    }
    for (const message of done.messages) onCommitted(message);
    for (const settleUnit of done.settle) settleUnit();
  }

  /** Puts units back that couldn't begin, and rejects those that have waited long enough. */
  function putBack(units: Unit[], error: unknown) {
    const now = performance.now();
    const from = lockedSince ?? now;
    lockedSince = from;
    const { late = [], early = [] } = Object.groupBy(units, ({ since }) =>
      now - Math.max(since, from) >= MAX_LOCKED_MS ? 'late' : 'early',
    );
    for (const unit of late) unit.reject(error);
    waiting.unshift(...early);
  }

  return {
    write<T>(work: (queries: Queries) => Promise<T>, { isSmall }: UnitSize = { isSmall: false }): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ since: performance.now(), isSmall, work, resolve: resolve as (value: unknown) => void, reject });
        running ??= run();
      });
    },
    length: () => waiting.length + committing,
    async idle() {
      while (running) await running;
    },
  };
}

const SAVEPOINT = CompiledQuery.raw('savepoint unit');
const RELEASE = CompiledQuery.raw('release savepoint unit');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint unit');

async function runUnit(transaction: Queries, unit: Unit, messages: string[]): Promise<() => void> {
  const earlier = messages.length;
  await transaction.executeQuery(SAVEPOINT);
  try {
    const value = await unit.work(transaction);
    await transaction.executeQuery(RELEASE);
    return () => unit.resolve(value);
  } catch (error) {
    // A full disk ends the whole transaction: then there is no savepoint, and every unit fails for that reason.
    await transaction.executeQuery(ROLLBACK).catch(() => {
      throw error;
    });
    await transaction.executeQuery(RELEASE);
    messages.length = earlier;
    return () => unit.reject(error);
  }
}
