import { ApiError, type NetworkError } from '#api/client.ts';
import { classify, isGone, isOutage } from '#api/failures.ts';
import { Reason } from '#main/base/reasons.ts';

/** Responses in a row that an upload may fail with before it needs a person. */
const MAX_ATTEMPTS = 6;
/** Seconds before an upload is tried again after the first, second, … response that may pass. */
const ATTEMPT_DELAYS = [2, 5, 15, 60, 300] as const;
/** Seconds that all uploads wait after the first, second, … failure to reach the service; the last repeats. */
const HOLD_DELAYS = [1, 2, 5, 10, 30] as const;
/** Seconds that all uploads wait for something that only people change, such as a full disk. */
const WAIT_DELAY = 60;
/** Reasons that apply to every upload until the service or the account is back. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'serviceUnreachable',
  'accountMissing',
  'hostUnreachable',
  'hostDiffers',
  'localNetworkBlocked',
  'tokenRevoked',
]);
/** Seconds. Longer requests to wait are shortened: what the service has said may change. */
const MAX_REQUESTED_DELAY = 3_600;

/**
 * What to do after a failed attempt: `hold`: every upload waits, since the service is unavailable or refuses them all, and the attempt
 * doesn't count; `later`: only this one waits; `never`: a person has to decide.
 */
export type Verdict = { what: 'hold'; seconds: number | undefined } | { what: 'later'; seconds: number } | { what: 'never' };

const NEVER: Verdict = { what: 'never' };
const hold = (seconds?: number): Verdict => ({
  what: 'hold',
  // At least a second: a service that always asks for none must not be asked without a pause.
  seconds: seconds === undefined ? undefined : Math.min(Math.max(seconds, 1), MAX_REQUESTED_DELAY),
});

/** Judges a failed attempt. `attempts`: how many of the same upload have already failed with a response. */
export function verdictOf(error: unknown, attempts: number): Verdict {
  if (error instanceof Reason) {
    if (UNAVAILABLE.has(error.text)) return hold();
    return error.text === 'fileChanged' ? again(attempts) : NEVER;
  }
  // The session or token has ended; the account says why, and uploads continue once it is renewed.
  if (error instanceof ApiError && error.status === 401) return hold();
  switch (classify(error)) {
    case 'wait':
      return hold(WAIT_DELAY);
    case 'retry': {
      const { status, retryAfter } = error as ApiError | NetworkError;
      return status === 429 || isOutage(error) ? hold(retryAfter) : again(attempts);
    }
    case 'new key':
      return isGone(error) ? NEVER : again(attempts, 0);
    case 'permanent':
      return NEVER;
  }
}

function again(attempts: number, seconds: number = ATTEMPT_DELAYS[attempts] ?? ATTEMPT_DELAYS[0]): Verdict {
  return attempts + 1 < MAX_ATTEMPTS ? { what: 'later', seconds } : NEVER;
}

/** Seconds to wait after this many failures in a row to reach the service, from 1. */
export function holdDelay(failures: number): number {
  return HOLD_DELAYS[Math.min(failures, HOLD_DELAYS.length) - 1] ?? HOLD_DELAYS[0];
}
