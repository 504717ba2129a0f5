import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { recentCache } from '#server/platform/base/recent-cache.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { Counter, CounterOptions } from './counter.ts';

/** Counters that survive a restart of the service. */
export interface Limits {
  /** The counter of a name: the same one for every caller. */
  counter(name: string, options: CounterOptions): Counter;
}

export interface StoredLimits extends Limits {
  /** Stores what has been counted so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Many share one commit: separate commits would each wait for the disk. */
const FLUSH_MS = 5_000;
const BATCH = 500;
/** Keys of a counter that doesn't keep all; the one that was counted longest ago makes room. */
const MAX_KEYS = 10_000;

/** A key of a counter. */
interface Entry {
  name: string;
  id: string;
}

interface Kept {
  memory: RateLimiterMemory;
  counter: Counter;
}

/** Reads what was counted before; services that share a database count in it instead of in memory. Keys are stored as keyed hashes, since they contain addresses and what users type as their name. */
export async function openLimits(db: Database, secrets: Pick<Secrets, 'sign'>, log: Logger): Promise<StoredLimits> {
  const counters = new Map<string, Kept>();
  const earlier = Map.groupBy(db.isShared ? [] : await readRows(db), ({ counter }) => counter);
  const changed = new Map<string, Entry>();
  const timer = setInterval(() => void flushOrLog(), FLUSH_MS).unref();

  const note = (name: string, id: string) => changed.set(`${name} ${id}`, { name, id });

  const idOf = (name: string, key: string) => secrets.sign('limits', `${name} ${key}`);

  function open(name: string, { points, duration, durable = false, keepsAll = false }: CounterOptions): Kept {
    const memory = new RateLimiterMemory({ points, duration, keyPrefix: '' });
    const dispose = (_value: true, id: string, reason: string) => {
      if (reason !== 'evict') return;
      note(name, id);
      void memory.delete(id);
    };
    const recent = keepsAll ? undefined : recentCache(MAX_KEYS, dispose);
    const change = async <T>(key: string, apply: (id: string) => Promise<T>, now = false): Promise<T> => {
      const id = idOf(name, key);
      recent?.set(id, true);
      if (!now) note(name, id);
      try {
        return await apply(id);
      } finally {
        if (now) await save([{ name, id }]);
      }
    };
    const counter: Counter = {
      points,
      get: (key) => memory.get(idOf(name, key)),
      consume: (key) => change(key, (id) => memory.consume(id), durable),
      penalty: (key) => change(key, (id) => memory.penalty(id), durable),
      reward: (key) => change(key, (id) => memory.reward(id)),
      delete: (key) => change(key, (id) => memory.delete(id)),
    };
    for (const { id, points: counted, expires_at } of earlier.get(name) ?? []) {
      recent?.set(id, true);
      void memory.set(id, counted, Math.min(duration, Math.max(0.001, (expires_at - Date.now()) / 1000)));
    }
    earlier.delete(name);
    return { memory, counter };
  }

  /** @throws what the database throws; what wasn't saved is saved with the next batch */
  async function save(entries: readonly Entry[]) {
    try {
      await store(db, entries, (name) => counters.get(name)?.memory);
    } catch (error) {
      for (const { name, id } of entries) note(name, id);
      throw error;
    }
  }

  async function flush() {
    // Events counted in the meantime wait for the next flush, so that this one finishes.
    for (let left = changed.size; left > 0; left -= BATCH) {
      const batch = [...changed].slice(0, Math.min(left, BATCH));
      for (const [key] of batch) changed.delete(key);
      await save(batch.map(([, entry]) => entry));
    }
  }

  async function flushOrLog() {
    await flush().catch((error: unknown) => log.error({ err: error }, 'rate limits couldn’t be saved; the next attempt saves them'));
  }

  return {
    counter(name, options) {
      if (db.isShared) return createSharedCounter(db, name, options, (key) => idOf(name, key));
      const known = counters.get(name) ?? open(name, options);
      counters.set(name, known);
      return known.counter;
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flushOrLog();
    },
  };
}

function readRows(db: Database) {
  return db.read.selectFrom('limits').selectAll().where('expires_at', '>', Date.now()).orderBy('expires_at').execute();
}

async function store(db: Database, entries: readonly Entry[], memoryOf: (name: string) => RateLimiterMemory | undefined) {
  const states = await Promise.all(entries.map(async ({ name, id }) => ({ name, id, state: await memoryOf(name)?.get(id) })));
  const now = Date.now();
  await db.as('note').write(async (queries) => {
    for (const { name, id, state } of states) {
      const row = queries.deleteFrom('limits').where('counter', '=', name).where('id', '=', id);
      if (!state || state.consumedPoints <= 0) {
        await row.execute();
        continue;
      }
      const values = { points: state.consumedPoints, expires_at: now + state.msBeforeNext };
      await queries
        .insertInto('limits')
        .values({ counter: name, id, ...values })
        .onConflict((conflict) => conflict.columns(['counter', 'id']).doUpdateSet(values))
        .execute();
    }
  });
}

/** Removes what is no longer counted at `now`, and returns the number. */
export function forgetLimits(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    const { numDeletedRows } = await queries.deleteFrom('limits').where('expires_at', '<=', now).executeTakeFirst();
    return Number(numDeletedRows);
  });
}

/**
 * A counter on a database that several services share: every event is a unit of writing, so that the services count together.
 * @param idOf the stored form of a key
 */
function createSharedCounter(
  db: Database,
  name: string,
  { points, duration }: Pick<CounterOptions, 'points' | 'duration'>,
  idOf: (key: string) => string,
): Counter {
  const state = (row: Row, isFirst = false) =>
    new RateLimiterRes(Math.max(0, points - row.points), row.expires_at - Date.now(), row.points, isFirst);

  async function find(queries: Queries, id: string): Promise<Row | undefined> {
    const row = await queries
      .selectFrom('limits')
      .select(['points', 'expires_at'])
      .where('counter', '=', name)
      .where('id', '=', id)
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    // Never longer than a window, whatever the clock of another service says.
    return row && { ...row, expires_at: Math.min(row.expires_at, Date.now() + duration * 1000) };
  }

  const add = (key: string, change: 1 | -1) =>
    db.as('note').write(async (queries) => {
      const id = idOf(key);
      const known = await find(queries, id);
      const row = { points: Math.max(0, (known?.points ?? 0) + change), expires_at: known?.expires_at ?? Date.now() + duration * 1000 };
      await queries
        .insertInto('limits')
        .values({ counter: name, id, ...row })
        .onConflict((conflict) => conflict.columns(['counter', 'id']).doUpdateSet(row))
        .execute();
      return state(row, known === undefined);
    });

  return {
    points,
    async get(key) {
      const row = await find(db.read, idOf(key));
      return row === undefined || row.points === 0 ? null : state(row);
    },
    async consume(key) {
      const counted = await add(key, 1);
      if (counted.consumedPoints > points) throw counted;
      return counted;
    },
    penalty: (key) => add(key, 1),
    reward: (key) => add(key, -1),
    delete: (key) =>
      db.as('note').write(async (queries) => {
        const { numDeletedRows } = await queries
          .deleteFrom('limits')
          .where('counter', '=', name)
          .where('id', '=', idOf(key))
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}

interface Row {
  points: number;
  expires_at: number;
}
