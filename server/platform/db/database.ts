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
  /** The database as `author` may write to it. */
  as(author: Author): WritableDatabase;
  /**
   * Resolves once everything that could be read until now is durable. Whoever acknowledges what a read has found awaits it: others see a commit before
   * it is flushed.
   * @throws the error of the flush; nothing may be acknowledged then
   */
  durable(): Promise<void>;
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
   * @param own also with this process's own messages, once their commits are `durable`; or once they are `committed`, for what is kept in memory
   */
  onAnnouncement(listener: Listener, own?: 'committed' | 'durable'): void;
  /**
   * Calls `listener` after each commit, durable or not, with the keys of the images whose rows it has changed or deleted; undefined: any may be among
   * them. Commits of other processes go unnoticed.
   */
  onImagesChanged(listener: (keys: ReadonlySet<string> | undefined) => void): void;
  /** Copies the state of the database at one moment into a new database file at `path`, while reading and writing continue. */
  snapshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Who writes: a caller of the service, or why there is none. `job`: the service itself, on a schedule; `start`: the service as it starts, or a command on its
 * computer; `note`: the service notes something of a request that stays whatever becomes of the caller, such as a view or a wrong password.
 */
export type Author = Caller | 'job' | 'start' | 'note';

/** A caller, whose rights may end while a request arrives or waits. */
export interface Caller {
  /** Checks, in each unit of writing and before it writes, that the caller may still write. @throws RequestError */
  confirm(queries: Queries): Promise<void>;
}

/** The database, for one author. */
export interface WritableDatabase extends Database {
  /**
   * Runs one unit of writing and resolves once it is durable: all of it, or nothing when `work` throws or its author may no longer write.
   * Units that arrive together share one commit and thus one wait for the disk.
   * `work` must only await queries, since it blocks all others.
   */
  write<T>(work: Work<T>, size?: UnitSize): Promise<T>;
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
    await connections.flush(); // an earlier process may have ended before it flushed, or after that has failed
    await PREPARE[use](connections.writer);
    if (use !== 'target') await requireComplete(connections.read);
  } catch (error) {
    await connections.close();
    throw error;
  }
  const listeners: Record<'committed' | 'durable', Listener[]> = { committed: [], durable: [] };
  const queue = createWriteQueue(connections, (when, messages) => {
    for (const message of messages) for (const listener of listeners[when]) listener(message);
  });
  const db: Database = {
    isShared: engine.isShared,
    read: connections.read,
    as: (author) => ({ ...db, write: (work, size) => queue.write(confirmed(author, work), size) }),
    durable: queue.durable,
    queued: queue.length,
    onAnnouncement(listener, own) {
      connections.onAnnouncement(listener);
      if (own) listeners[own].push(listener);
    },
    onImagesChanged: connections.onImagesChanged,
    cached: createReadCache(connections.version),
    snapshot: (path) => connections.snapshot(path, async (file) => (await openDatabase(file)).close()),
    async close() {
      await queue.idle();
      await connections.close();
    },
  };
  return db;
}

type Work<T> = (queries: Queries) => Promise<T>;

/** The same unit, which begins with the check of its caller. */
function confirmed<T>(author: Author, work: Work<T>): Work<T> {
  if (typeof author === 'string') return work;
  return async (queries) => {
    await author.confirm(queries);
    return work(queries);
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

/** @param announce called with the announcements of commits, twice for each */
function createWriteQueue(
  { transact, flush }: Pick<Connections, 'transact' | 'flush'>,
  announce: (when: 'committed' | 'durable', messages: string[]) => void,
) {
  const waiting: Unit[] = [];
  /** Of commits that aren't known to be durable. */
  const held: string[] = [];
  /** Whether all commits are known to be durable. */
  let isDurable = true;
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
    let settle: (() => void)[];
    let hasBegun = false;
    committing = units.length;
    isDurable = false; // before: others can read a commit before this function continues
    try {
      const isSmall = units.every((unit) => unit.isSmall);
      const done = await transact(
        async (transaction) => {
          hasBegun = true;
          lockedSince = undefined;
          const messages: string[] = [];
          announced.set(transaction, messages);
          const settleAll: (() => void)[] = [];
          for (const unit of units) settleAll.push(await runUnit(transaction, unit, messages));
          return { value: { settleAll, messages }, messages };
        },
        { isSmall },
      );
      settle = done.settleAll;
      announce('committed', done.messages);
      held.push(...done.messages);
      await flush();
      isDurable = true;
    } catch (error) {
      if (!hasBegun && databaseFault(error) === 'busy') putBack(units, error);
      else for (const unit of units) unit.reject(error);
      return;
    } finally {
      committing = 0;
    }
    announce('durable', held.splice(0));
    for (const settleUnit of settle) settleUnit();
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

  function write<T>(work: Work<T>, { isSmall }: UnitSize = { isSmall: false }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ since: performance.now(), isSmall, work, resolve: resolve as (value: unknown) => void, reject });
      running ??= run();
    });
  }

  return {
    write,
    durable: async () => {
      // A unit with nothing to write makes up for a failed flush, and otherwise waits for the one under way.
      if (!isDurable) await write(async () => undefined, { isSmall: true });
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
