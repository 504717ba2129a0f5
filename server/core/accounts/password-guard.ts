import { type HashTurn, knownTurn, strangersTurn } from '#server/platform/admission/hashing.ts';
import { CallerGoneError } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { requirePointsLeft } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

/** A guess at an account's password. */
export interface Guess {
  /**
   * The user name or e-mail address, as a key, whether or not there is such an account. Each counts alone: a shared count would
   * reveal that they belong together.
   */
  login: string;
  address: string;
  /** A session or known device of an account: strangers' failures don't count against it, nor its own against them. */
  known?: { userId: number; device: string } | undefined;
  /** Ends the wait of a client that has disconnected. */
  signal?: AbortSignal | undefined;
}

/** Limits guesses at account passwords. Only wrong passwords count; the count survives a restart. */
export interface PasswordGuard {
  /**
   * Runs one check of a password and returns its result. Checks from one address, of one login or by one device run one at a time, so that
   * parallel requests can't exceed the limit.
   * @throws RequestError `rate_limited`, without checking
   */
  check(guess: Guess, verify: (turn: HashTurn) => Promise<boolean>): Promise<boolean>;
}

const WINDOW_SECONDS = 300;

/**
 * Allows 10 failures per login and address, 30 per address and 50 per login in 5 minutes; an account with two logins has 100. Known devices of
 * an account have 10 each instead.
 */
export function createPasswordGuard(limits: Limits): PasswordGuard {
  const limiter = (points: number, name: string, keepsAll = false) =>
    limits.counter(`wrong passwords by ${name}`, { points, duration: WINDOW_SECONDS, durable: true, keepsAll });
  const pair = limiter(10, 'login and network');
  const byAddress = limiter(30, 'network');
  // Guesses at made-up logins must not push out those at an account. Each costs a hash, so there are a few thousand at most.
  const byLogin = limiter(50, 'login', true);
  const byDevice = limiter(10, 'device');
  const inTurn = createKeyedLock();
  return {
    check({ login, address, known, signal }, verify) {
      const network = networkOf(address);
      const ofStrangers = [
        { limit: pair, key: `${login} ${network}` },
        { limit: byAddress, key: network },
        { limit: byLogin, key: login },
      ];
      const counters = known ? [{ limit: byDevice, key: known.device }] : ofStrangers;
      const [first] = counters;
      const attempt = async () => {
        for (const { limit, key } of counters) await requirePointsLeft(limit, key, 'Too many failed attempts.');
        if (signal?.aborted) throw new CallerGoneError();
        const right = await verify(known ? knownTurn(`user ${known.userId}`, signal) : strangersTurn(network, signal));
        if (right) await first?.limit.delete(first.key);
        else await Promise.all(counters.map(({ limit, key }) => limit.penalty(key)));
        return right;
      };
      if (known) return inTurn(`device ${known.device}`, attempt);
      // Always in this order, so that two can't wait for each other.
      return inTurn(`network ${network}`, () => inTurn(`login ${login}`, attempt));
    },
  };
}
