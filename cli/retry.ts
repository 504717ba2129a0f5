import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, NetworkError } from '#api/client.ts';
import { RedirectError } from './connection.ts';
import { causes } from './errors.ts';

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

export interface RetryPolicy {
  /** How often a failed attempt is followed by another one. */
  retries: number;
  /** The longest wait in seconds that a server may ask for; more than that fails at once. */
  patience: number;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 30_000;
/** A server may ask for patience many times without having failed; this ends an endless conversation. */
const MOST_REQUESTED_WAITS = 30;

/** Why an attempt may be repeated. */
type Verdict = { again: false } | { again: true; waitSeconds?: number };

/** Network faults, 429 and 5xx may be over soon; every other answer would be the same again. */
function judge(error: unknown): Verdict {
  if (error instanceof ApiError) return byStatus(error.status, error.details.retry_after);
  if (!(error instanceof NetworkError)) return { again: false };
  if (error.status !== undefined) return byStatus(error.status, error.retryAfter);
  return { again: ![...causes(error)].some(isPermanent) };
}

function byStatus(status: number, retryAfter: number | undefined): Verdict {
  if (status === 429 || status === 503) return retryAfter === undefined ? { again: true } : { again: true, waitSeconds: retryAfter };
  return { again: status >= 500 };
}

/** A certificate does not become valid, and a redirect does not go away, by asking again. */
function isPermanent(error: Error) {
  const { code } = error as NodeJS.ErrnoException;
  // «bad port» is fetch's refusal of ports that belong to other protocols.
  return (
    error instanceof RedirectError ||
    error.message === 'bad port' ||
    (code !== undefined && /CERT|ERR_SSL|ERR_TLS|UNABLE_TO_|EPROTO/.test(code))
  );
}

/**
 * The wait of everybody who talks to one server: when it asks one upload for patience, the others wait as well.
 * Holds no timers of its own.
 */
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
  policy: RetryPolicy;
  clock: Clock;
  gate: Gate;
  signal?: AbortSignal | undefined;
  /** Told before each wait. */
  onWait?: ((seconds: number, error: unknown) => void) | undefined;
}

/**
 * Runs an attempt until it succeeds, fails for good, or the policy is used up; then throws the last error.
 * Delays double from 0.2 s to 30 s and are shortened by chance by up to a half, so that many clients do not return together.
 */
export async function withRetries<T>(attempt: () => Promise<T>, { policy, clock, gate, signal, onWait }: Retrying): Promise<T> {
  let failures = 0;
  let requestedWaits = 0;
  for (;;) {
    await gate.pass(signal);
    try {
      return await attempt();
    } catch (error) {
      const verdict = judge(error);
      if (!verdict.again || signal?.aborted) throw error;
      if (verdict.waitSeconds !== undefined) {
        if (verdict.waitSeconds > policy.patience || ++requestedWaits > MOST_REQUESTED_WAITS) throw error;
        onWait?.(verdict.waitSeconds, error);
        gate.closeFor(Math.max(verdict.waitSeconds * 1000, FIRST_DELAY_MS));
      } else {
        if (++failures > policy.retries) throw error;
        const wait = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS) * (1 - clock.random() / 2);
        onWait?.(wait / 1000, error);
        await clock.sleep(wait, signal);
      }
    }
  }
}
