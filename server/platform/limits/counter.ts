import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '#server/platform/base/errors.ts';

/** Counts events by key within windows of time. */
export interface Counter {
  readonly points: number;
  /** The state of a key; null while nothing has been counted. */
  get(key: string): Promise<RateLimiterRes | null>;
  /** Counts one event. Rejects with the state when there are more than `points`. */
  consume(key: string): Promise<RateLimiterRes>;
  /** Counts one event, however many there are. */
  penalty(key: string): Promise<RateLimiterRes>;
  /** Takes one event back. */
  reward(key: string): Promise<RateLimiterRes>;
  /** Forgets a key. */
  delete(key: string): Promise<boolean>;
}

export interface CounterOptions {
  points: number;
  /** Seconds from the first event of a key until it is forgotten. */
  duration: number;
  /** Events are stored before their promise resolves, so that no crash undoes them; otherwise within seconds. */
  durable?: boolean;
  /**
   * Keeps every key until it expires, for keys that clients can't make up, such as accounts, and for windows of minutes where each event costs a password hash.
   * By default, the last 10,000 are kept.
   */
  keepsAll?: boolean;
}

/**
 * Counts one event.
 * @param message what happened too often; the time to wait follows it
 * @throws RequestError `rate_limited` when there are more than `points`
 */
export async function requirePoint(counter: Counter, key: string, message: string): Promise<void> {
  await counter.consume(key).catch((reason: unknown) => {
    throw reason instanceof RateLimiterRes ? tooManyRequests(message, reason.msBeforeNext) : reason;
  });
}

/** @param message what happened too often; the time to wait follows it. @throws RequestError `rate_limited` once all points of a key are consumed */
export async function requirePointsLeft(counter: Counter, key: string, message: string): Promise<void> {
  const state = await counter.get(key);
  if (state && state.consumedPoints >= counter.points) throw tooManyRequests(message, state.msBeforeNext);
}
