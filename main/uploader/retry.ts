import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, NetworkError } from '#api/client.ts';

/** Milliseconds before the second, third, … try. */
const DELAYS = [500, 2_000, 5_000] as const;
/** A service that asks for a longer break than this, in seconds, is not waited for. */
const LONGEST_BREAK = 10;

/** Tries again what may succeed later: a service that is not reached, that has failed, or that asks for a short break. */
export async function withRetries<T>(action: () => Promise<T>, wait: (milliseconds: number) => Promise<unknown> = delay): Promise<T> {
  for (const pause of DELAYS) {
    try {
      return await action();
    } catch (error) {
      const asked = pauseAskedFor(error);
      if (asked === undefined) throw error;
      await wait(Math.max(asked, pause));
    }
  }
  return action();
}

/** Milliseconds that an error asks for, at least; undefined when another try makes no sense. */
function pauseAskedFor(error: unknown): number | undefined {
  if (error instanceof NetworkError) return 0;
  if (!(error instanceof ApiError)) return undefined;
  const seconds = error.details.retry_after ?? 0;
  const passing = error.status === 429 || (error.status >= 500 && error.code !== 'storage_full');
  return passing && seconds <= LONGEST_BREAK ? seconds * 1000 : undefined;
}
