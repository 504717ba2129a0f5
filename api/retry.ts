import type { ApiError, NetworkError } from './client.ts';
import { classify } from './failures.ts';

/** Retries after failures without a `Retry-After`: they span 4 to 8 seconds, longer than the service takes to restart. */
export const DEFAULT_RETRIES = 5;

const FIRST_DELAY_SECONDS = 0.25;
const MAX_DELAY_SECONDS = 30;
/** Waits that the service asks for don't use up retries; this bounds them for a service that never stops asking. */
const MAX_REQUESTED_WAITS = 30;

export interface RetryLimits {
  /** Default: {@link DEFAULT_RETRIES}. */
  retries?: number;
  /** The longest `Retry-After` to wait for, in seconds; a longer one fails at once. */
  maxWait: number;
  /** From 0 up to, not including, 1. */
  random?: () => number;
  /** The batch of the request. Its requested waits are counted from the last time that a request of the batch was settled. */
  batch?: Batch;
}

/** Requests that are sent at the same time. At a rate limit, only one of them gets through after each wait. */
export interface Batch {
  /** The number of requests that have succeeded or been refused. */
  settled: number;
}

/** The wait before the next attempt. */
export interface Pause {
  seconds: number;
  /** The service asked for it, so other requests to that service should wait too. */
  requested: boolean;
}

/** Takes each failure of one request; returns undefined when the request isn't to be repeated. */
export type NextPause = (error: unknown) => Pause | undefined;

/**
 * The retries of one request (decision 054). Delays double from 0.25 s to 30 s; chance shortens each by up to half, so that many clients
 * don't return at once.
 */
export function countRetries({ retries = DEFAULT_RETRIES, maxWait, random = Math.random, batch }: RetryLimits): NextPause {
  let failures = 0;
  let requestedWaits = 0;
  let settled = batch?.settled;
  return (error) => {
    if (classify(error) !== 'retry') {
      if (batch) batch.settled++;
      return undefined;
    }
    const { retryAfter } = error as ApiError | NetworkError;
    if (retryAfter !== undefined) {
      if (batch?.settled !== settled) requestedWaits = 0;
      settled = batch?.settled;
      if (retryAfter > maxWait || ++requestedWaits > MAX_REQUESTED_WAITS) return undefined;
      return { seconds: Math.max(retryAfter, FIRST_DELAY_SECONDS), requested: true };
    }
    if (++failures > retries) return undefined;
    const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (failures - 1), MAX_DELAY_SECONDS);
    return { seconds: delay * (1 - random() / 2), requested: false };
  };
}

/** Repeats an attempt until it succeeds or fails permanently, then throws its last error. `wait` may reject to stop. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  limits: RetryLimits,
  wait: (pause: Pause, error: unknown) => Promise<unknown>,
): Promise<T> {
  const nextPause = countRetries(limits);
  for (;;) {
    try {
      const result = await attempt();
      if (limits.batch) limits.batch.settled++;
      return result;
    } catch (error) {
      const pause = nextPause(error);
      if (!pause) throw error;
      await wait(pause, error);
    }
  }
}
