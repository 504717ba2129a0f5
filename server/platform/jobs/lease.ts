import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

/** How often the holder renews a lease, and the others look at it. */
export const RENEW_MS = 5_000;
/** A lease that hasn't been renewed for this long may be taken. Its holder stops earlier. */
export const EXPIRY_MS = 30_000;
const STOP_MS = 20_000;
const LOOK_MS = 1_000;

type Row = Tables['leases'];

/** The lease of the service that runs the jobs: one is held while any service runs. */
export const JOBS_LEASE = 'jobs';

/** At most one of the services on a database holds a lease. */
export interface Lease {
  /** Aborts when this service no longer holds the lease; undefined while it doesn't. */
  held(): AbortSignal | undefined;
  /** Takes the lease if it is free, or renews it; the caller decides when to call it next. */
  renew(): Promise<void>;
  /** Lets another service take it at once. */
  release(): Promise<void>;
}

/**
 * Each renewal increments a number. A service takes the lease after it has seen the same number for long enough by its own clock, so
 * that clocks needn't agree.
 * @param clock milliseconds that only go forward; replaced in tests
 * @param me the holder; one that resumes after a crash uses its former name
 */
export function createLease(
  db: WritableDatabase,
  name: string,
  clock: () => number = () => performance.now(),
  me: string = randomUUID(),
): Lease {
  let tenure: { lost: AbortController; until: number } | undefined;
  let seen: { beat: number; at: number } | undefined;

  function lose() {
    tenure?.lost.abort(new Error('another service runs the jobs'));
    tenure = undefined;
  }

  const find = (queries: Queries) => queries.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
  const isStale = (beat: number) => seen?.beat === beat && clock() - seen.at >= EXPIRY_MS;
  const isFree = (row: Row | undefined) => !row || row.holder === '' || row.holder === me || isStale(row.beat);

  /** Whether another service has it, without writing. */
  async function isTaken(): Promise<boolean> {
    const row = await find(db.read);
    if (row && seen?.beat !== row.beat) seen = { beat: row.beat, at: clock() };
    return !isFree(row);
  }

  /** Writes the lease unless another service has it; returns whether it is this one's. */
  function write(): Promise<boolean> {
    return db.write(async (queries) => {
      const row = await find(queries);
      if (!isFree(row)) return false;
      const values = { holder: me, beat: (row?.beat ?? 0) + 1 };
      await queries
        .insertInto('leases')
        .values({ name, ...values })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
        .execute();
      return true;
    });
  }

  return {
    held() {
      if (tenure && clock() >= tenure.until) lose();
      return tenure?.lost.signal;
    },
    async renew() {
      const from = clock();
      if (tenure && from >= tenure.until) lose();
      if (!tenure && (await isTaken())) return;
      if (!(await write())) return lose();
      const until = from + STOP_MS;
      if (tenure) tenure.until = until;
      else tenure = { lost: new AbortController(), until };
    },
    async release() {
      if (!tenure) return;
      lose();
      await db.write((queries) =>
        queries.updateTable('leases').set({ holder: '' }).where('name', '=', name).where('holder', '=', me).execute(),
      );
    },
  };
}

/**
 * Whether a service is renewing a lease. Takes up to {@link EXPIRY_MS} to be certain.
 * @param wait replaced in tests
 */
export async function isKept(queries: Queries, name: string, wait: (milliseconds: number) => Promise<unknown> = sleep): Promise<boolean> {
  const find = () => queries.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
  const first = await find();
  if (!first?.holder) return false;
  for (let waited = 0; waited < EXPIRY_MS; waited += LOOK_MS) {
    await wait(LOOK_MS);
    if ((await find())?.beat !== first.beat) return true;
  }
  return false;
}

/** A lease that is renewed until it is released. Once faults last too long, `held` ends. */
export interface KeptLease {
  held(): AbortSignal | undefined;
  /** Releases it; when the database isn't available, it expires. */
  stop(): Promise<void>;
}

/** Takes a lease as soon as it is free, and keeps it. */
export async function keepLease(lease: Lease, log: Pick<Logger, 'warn'>): Promise<KeptLease> {
  const renew = () =>
    lease.renew().catch((error: unknown) => {
      log.warn({ err: error }, 'couldn’t reach the database to find out which service runs the jobs');
    });
  await renew();
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    lease.held(); // a renewal that takes too long doesn't keep it
    running ??= renew().finally(() => {
      running = undefined;
    });
  }, RENEW_MS).unref();
  return {
    held: lease.held,
    async stop() {
      clearInterval(timer);
      await running;
      await lease.release().catch((error: unknown) => {
        log.warn({ err: error }, 'couldn’t release the jobs; another service takes them over when the lease expires');
      });
    },
  };
}
