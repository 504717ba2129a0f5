import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { Counter, CounterOptions } from './counter.ts';

/**
 * A counter on a database that several services share: every event is a unit of writing, so that the services count together.
 * @param idOf the stored form of a key
 */
export function createSharedCounter(
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
