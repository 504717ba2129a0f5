import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { classify, isGone } from '#api/failures.ts';
import { type RetryLimits, withRetries as repeat } from '#api/retry.ts';

/** Time and chance, so that tests need not wait. */
export interface Clock {
  now(): number;
  /** Milliseconds; rejects when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal && { signal }),
  random: Math.random,
};

/** Holds back all uploads to a server once it has asked one of them to wait. Has no timers of its own. */
export class Gate {
  #opensAt = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  closeFor(ms: number) {
    this.#opensAt = Math.max(this.#opensAt, this.#clock.now() + ms);
  }

  async pass(signal?: AbortSignal) {
    for (let wait = this.#opensAt - this.#clock.now(); wait > 0; wait = this.#opensAt - this.#clock.now())
      await this.#clock.sleep(wait, signal);
  }
}

export interface Retrying {
  limits: RetryLimits;
  clock: Clock;
  gate: Gate;
  signal?: AbortSignal | undefined;
  /** Called before each wait. */
  onWait?: ((seconds: number, error: unknown) => void) | undefined;
}

/**
 * Repeats an attempt as the API's clients do, and shares the waits that the server asks for.
 * @param attempt gets an `Idempotency-Key` once the server wants another one than before, and from then on
 */
export function withRetries<T>(attempt: (newKey?: string) => Promise<T>, { limits, clock, gate, signal, onWait }: Retrying): Promise<T> {
  let newKey: string | undefined;
  const gated = async () => {
    await gate.pass(signal);
    try {
      return await attempt(newKey);
    } catch (error) {
      if (newKey !== undefined || classify(error) !== 'new key' || isGone(error)) throw error;
      newKey = randomUUID();
      return attempt(newKey);
    }
  };
  return repeat(gated, { ...limits, random: clock.random }, async ({ seconds, requested }, error) => {
    if (signal?.aborted) throw error;
    onWait?.(seconds, error);
    if (requested) gate.closeFor(seconds * 1000);
    else await clock.sleep(seconds * 1000, signal);
  });
}
