import { DAY, MINUTE } from '#api/durations.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { requirePointsLeft } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

/** Limits guesses at the codes of an account. Only wrong codes count; the count survives a restart. */
export interface CodeGuard {
  /**
   * Runs one check of a code and returns its result; checks for one account run one at a time.
   * @param device a known device of the account: others' failures don't count against it, nor its own against them
   * @throws RequestError `rate_limited`, without checking
   */
  check<T>(userId: number, device: string | undefined, verify: () => Promise<T | undefined>): Promise<T | undefined>;
}

/**
 * Allows 10 wrong codes in 5 minutes and 50 in a day for an account, wherever they come from, and as many for each of its known devices. Fewer
 * than for passwords: at any time, three codes in a million are right. Only callers who know the password can use them up.
 */
export function createCodeGuard(limits: Limits): CodeGuard {
  // Apart, so that many devices of an attacker's own account can't push out what has been counted for another's.
  const open = (of: string, keepsAll: boolean) =>
    [
      limits.counter(`wrong codes of ${of} in minutes`, { points: 10, duration: 5 * MINUTE, durable: true, keepsAll }),
      limits.counter(`wrong codes of ${of} in a day`, { points: 50, duration: DAY, durable: true, keepsAll }),
    ] as const;
  const [ofAccounts, ofDevices] = [open('accounts', true), open('devices', false)];
  const inTurn = createKeyedLock();
  return {
    check(userId, device, verify) {
      const who = device === undefined ? `account ${userId}` : `account ${userId} ${device}`;
      const counters = device === undefined ? ofAccounts : ofDevices;
      return inTurn(who, async () => {
        for (const limit of counters) await requirePointsLeft(limit, who, 'Too many wrong codes.');
        const result = await verify();
        if (result === undefined) for (const limit of counters) await limit.penalty(who);
        else await counters[0].delete(who);
        return result;
      });
    },
  };
}
