import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { HOUR_MS } from '#api/durations.ts';

/** Attempts at many pieces of work, one of which must not hold up the others. */
export interface Attempts<K extends {}> {
  /** The pieces that have failed recently, and rest: a query leaves them out. */
  resting(): K[];
  /**
   * Tries a piece. After a failure, which is logged, it rests, longer each time.
   * @returns its result; undefined when it has failed
   * @throws the error when the last ones have failed as well: something that all of them need is to blame
   */
  run<T>(key: K, work: () => Promise<T>): Promise<{ result: T } | undefined>;
}

const FIRST_REST_MS = 10_000;
const MAX_REST_MS = HOUR_MS;
/** From this many failures in a row on, each ends a run. */
const MAX_IN_A_ROW = 10;
/** Pieces that are remembered; queries name them. */
const MAX_KNOWN = 500;

/**
 * @param what couldn't be done with a piece, for the log
 * @param now milliseconds since 1970
 */
export function createAttempts<K extends {}>(log: Pick<Logger, 'error'>, what: string, now = () => Date.now()): Attempts<K> {
  const failed = new LRUCache<K, { failures: number; until: number }>({ max: MAX_KNOWN });
  let inARow = 0;
  return {
    resting: () => [...failed.entries()].flatMap(([key, { until }]) => (until > now() ? [key] : [])),
    async run(key, work) {
      try {
        const result = await work();
        failed.delete(key);
        inARow = 0;
        return { result };
      } catch (error) {
        const failures = failed.get(key)?.failures ?? 0;
        failed.set(key, { failures: failures + 1, until: now() + Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** failures) });
        log.error({ err: error, key }, what);
        if (++inARow >= MAX_IN_A_ROW) throw error;
        return undefined;
      }
    },
  };
}
