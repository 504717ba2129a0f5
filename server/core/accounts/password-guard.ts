import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { networkOf } from '#server/platform/base/network-of.ts';

/** Limits guesses at account passwords. Only wrong passwords count. */
export interface PasswordGuard {
  /**
   * Runs one check of a password and returns its result. Checks from one address run one at a time, so that parallel
   * requests can't exceed the limit.
   * @param account identifies the account, whether or not it exists
   * @throws RequestError `rate_limited`, without checking
   */
  check(account: string, address: string, verify: () => Promise<boolean>): Promise<boolean>;
}

const WINDOW_SECONDS = 300;

/** Allows 10 failures per account and address, 30 per address and 100 per account in 5 minutes. */
export function createPasswordGuard(): PasswordGuard {
  const limiter = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS, keyPrefix });
  const pair = limiter(10, 'pair');
  const byAddress = limiter(30, 'address');
  const byAccount = limiter(100, 'account');
  const inTurn = createKeyedLock();
  return {
    check(account, address, verify) {
      const network = networkOf(address);
      const counters = [
        { limit: pair, key: `${account} ${network}` },
        { limit: byAddress, key: network },
        { limit: byAccount, key: account },
      ];
      return inTurn(network, async () => {
        for (const { limit, key } of counters) refuseWhenSpent(await limit.get(key), limit.points);
        const right = await verify();
        if (right) await pair.delete(`${account} ${network}`);
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
