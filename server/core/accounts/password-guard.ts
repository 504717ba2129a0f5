import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { networkOf } from '#server/platform/base/network-of.ts';

/** Limits guesses at account passwords. Only wrong passwords count. */
export interface PasswordGuard {
  /**
   * Runs one check of a password and returns its result. Checks from one address run one at a time, so that parallel
   * requests can't exceed the limit.
   * @param login the user name or e-mail address, as a key, whether or not there is such an account. Each counts alone: a shared count would
   * tell that they belong together
   * @throws RequestError `rate_limited`, without checking
   */
  check(login: string, address: string, verify: () => Promise<boolean>): Promise<boolean>;
}

const WINDOW_SECONDS = 300;

/** Allows 10 failures per login and address, 30 per address and 50 per login in 5 minutes; an account with two logins has 100. */
export function createPasswordGuard(): PasswordGuard {
  const limiter = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS, keyPrefix });
  const pair = limiter(10, 'pair');
  const byAddress = limiter(30, 'address');
  const byLogin = limiter(50, 'login');
  const inTurn = createKeyedLock();
  return {
    check(login, address, verify) {
      const network = networkOf(address);
      const counters = [
        { limit: pair, key: `${login} ${network}` },
        { limit: byAddress, key: network },
        { limit: byLogin, key: login },
      ];
      return inTurn(network, async () => {
        for (const { limit, key } of counters) refuseWhenSpent(await limit.get(key), limit.points);
        const right = await verify();
        if (right) await pair.delete(`${login} ${network}`);
        else for (const { limit, key } of counters) await limit.penalty(key);
        return right;
      });
    },
  };
}

function refuseWhenSpent(state: RateLimiterRes | null, points: number) {
  if (!state || state.consumedPoints < points) return;
  throw tooManyRequests('Too many failed attempts.', state.msBeforeNext);
}
