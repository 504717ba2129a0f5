import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, Kysely } from 'kysely';
import type { Connections } from '../engine.ts';
import type { Tables } from '../schema/tables.ts';
import { Dialect } from './dialect.ts';
import { isConflict, UnavailableError } from './fault.ts';
import { connectionConfig, openPool } from './pool.ts';

type Queries = Kysely<Tables>;

const STATEMENT_MS = 30_000;
/** How long a transaction waits for those of other processes. */
const LOCK_MS = 15_000;
/** A process that disappears in the middle of a transaction blocks all others for this long. */
const ABANDONED_MS = 15_000;
const IDLE_MS = 30_000;

/** Waits between the attempts at a transaction whose connection was lost: a server restarts within a few seconds. */
const WAITS_MS = [50, 200, 500, 1_000, 2_000];

/** Makes the transactions of all processes run one after another, as on SQLite: the service's rules rely on it. */
const WRITERS_LOCK = 7_410_001;
const BEGIN = `begin isolation level read committed; select pg_advisory_xact_lock(${WRITERS_LOCK}); select pg_current_xact_id()::text as id`;

/** A transaction that was sent to be committed. */
interface Sent<T> {
  id: string;
  value: T;
}

const run = (queries: Queries, statements: string) => queries.executeQuery<{ id: string }>(CompiledQuery.raw(statements));

/**
 * Transactions that write.
 * @param notify the statements that tell other processes of a commit
 */
export function openWriting(url: string, notify: (messages: readonly string[]) => string) {
  let conflict: unknown;
  const onError = (error: unknown) => {
    if (isConflict(error)) conflict = error;
  };
  const options = `-c lock_timeout=${LOCK_MS} -c idle_in_transaction_session_timeout=${ABANDONED_MS}`;
  const pool = openPool({ max: 1, idleTimeoutMillis: IDLE_MS, ...connectionConfig(url, STATEMENT_MS, options) }, onError);
  const db = new Kysely<Tables>({ dialect: new Dialect(pool) });

  async function begin(queries: Queries): Promise<string> {
    const { rows } = await run(queries, BEGIN);
    return rows[0]?.id as string;
  }

  /** Runs `work` between BEGIN and COMMIT, or ROLLBACK if it fails. When the connection is lost, throws that error, not the one it led to. */
  async function within<T>(queries: Queries, work: (id: string) => Promise<T>, end: (value: T) => string): Promise<T> {
    const id = await begin(queries);
    try {
      const value = await work(id);
      await run(queries, end(value));
      return value;
    } catch (error) {
      await run(queries, 'rollback');
      throw error;
    }
  }

  /** Whether a transaction has been committed. Its lock is free only once it has ended in one way or the other. */
  const hasCommitted = (queries: Queries, id: string) =>
    within(
      queries,
      async () => {
        const { rows } = await queries.executeQuery<{ status: string | null }>(
          CompiledQuery.raw('select pg_xact_status($1::text::xid8) as status', [id]),
        );
        return rows[0]?.status === 'committed';
      },
      () => 'rollback',
    );

  async function transact<T>(work: (queries: Queries) => Promise<{ value: T; messages: string[] }>): Promise<T> {
    let sent: Sent<T> | undefined;
    let hasConnected = false;

    const attempt = async (queries: Queries): Promise<T> => {
      hasConnected = true;
      if (sent && (await hasCommitted(queries, sent.id))) return sent.value;
      sent = undefined;
      conflict = undefined;
      const { value } = await within(
        queries,
        async (id) => {
          const result = await work(queries);
          // The unit with the conflict has been rolled back alone; run together again, none needs to fail.
          if (conflict) throw conflict;
          sent = { id, value: result.value };
          return result;
        },
        ({ messages }) => `${notify(messages)}; commit`,
      );
      return value;
    };

    for (const wait of WAITS_MS) {
      try {
        return await db.connection().execute(attempt);
      } catch (error) {
        // A server that was down already is reported immediately.
        const isPassing = isConflict(error) || (error instanceof UnavailableError && hasConnected);
        if (!isPassing) throw error;
      }
      await delay(wait);
    }
    return await db.connection().execute(attempt);
  }

  return { transact: transact satisfies Connections['transact'], close: () => db.destroy() };
}
