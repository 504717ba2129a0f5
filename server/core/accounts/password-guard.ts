import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { networkOf } from '#server/platform/base/network-of.ts';

/** Limits guesses at account passwords. Only wrong passwords count. */
export interface PasswordGuard {
  /**
   * Runs one check of a password and returns its result. Checks from one address, or by one device, run one at a time, so that
   * parallel requests can't exceed the limit.
   * @param login the user name or e-mail address, as a key, whether or not there is such an account. Each counts alone: a shared count would
   * tell that they belong together
   * @param device identifies a session or known device of the account: strangers' failures don't count against it, nor its own against them
   * @throws RequestError `rate_limited`, without checking
   */
  check(login: string, address: string, verify: () => Promise<boolean>, device?: string): Promise<boolean>;
}

const WINDOW_SECONDS = 300;

/**
 * Allows 10 failures per login and address, 30 per address and 50 per login in 5 minutes; an account with two logins has 100. Known devices of
 * an account have 10 each instead.
 */
export function createPasswordGuard(): PasswordGuard {
  const limiter = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS, keyPrefix });
  const pair = limiter(10, 'pair');
  const byAddress = limiter(30, 'address');
  const byLogin = limiter(50, 'login');
  const byDevice = limiter(10, 'device');
  const inTurn = createKeyedLock();
  return {
    check(login, address, verify, device) {
      const network = networkOf(address);
      const ofStrangers = [
        { limit: pair, key: `${login} ${network}` },
        { limit: byAddress, key: network },
        { limit: byLogin, key: login },
      ];
      const counters = device === undefined ? ofStrangers : [{ limit: byDevice, key: device }];
      const [first] = counters;
      return inTurn(device ?? network, async () => {
        for (const { limit, key } of counters) refuseWhenSpent(await limit.get(key), limit.points);
        const right = await verify();
        if (right) await first?.limit.delete(first.key);
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
