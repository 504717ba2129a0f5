import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { verifyPassword } from '#server/core/accounts/passwords.ts';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';

/** A password-protected image or album. */
export interface Lock {
  kind: 'image' | 'album';
  id: string;
  passwordHash: string;
}

/** Checks passwords of images and albums, and limits guesses. */
export interface PasswordTries {
  /**
   * Whether the password is right.
   * @param address the client's IP address
   * @throws RequestError `rate_limited` after 10 failures in 5 minutes from this address on this lock, for right passwords too
   */
  isRight(lock: Lock, password: string, address: string): Promise<boolean>;
}

const MAX_FAILURES = 10;
const WINDOW_SECONDS = 300;
const MAX_REMEMBERED = 10_000;

/**
 * Only failures count. Guesses at one lock from one address run one at a time, so that parallel requests can't exceed the
 * limit. A right password is remembered as a keyed hash, so that a page of pictures costs one argon2.
 */
export function createPasswordTries(secrets: Pick<Secrets, 'sign'>, verify = verifyPassword): PasswordTries {
  const failures = new RateLimiterMemory({ points: MAX_FAILURES, duration: WINDOW_SECONDS });
  const inTurn = createKeyedLock();
  const right = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  async function requireTriesLeft(who: string) {
    const state = await failures.get(who);
    if (!state || state.consumedPoints < MAX_FAILURES) return;
    throw tooManyRequests('Too many wrong passwords.', state.msBeforeNext);
  }

  return {
    isRight(lock, password, address) {
      const who = `${lock.kind} ${lock.id} ${networkOf(address)}`;
      return inTurn(who, async () => {
        await requireTriesLeft(who);
        const remembered = secrets.sign('password', `${lock.passwordHash} ${password.normalize('NFC')}`);
        if (right.get(remembered)) return true;
        if (!(await verify(lock.passwordHash, password))) {
          await failures.penalty(who);
          return false;
        }
        right.set(remembered, true);
        return true;
      });
    },
  };
}
