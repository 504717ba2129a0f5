import { verifyPassword } from '#server/core/accounts/passwords.ts';
import { strangersTurn } from '#server/platform/admission/hashing.ts';
import { CallerGoneError } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { recentCache } from '#server/platform/base/recent-cache.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import { type Counter, requirePointsLeft } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

/** A password-protected image, album or request link. */
export interface Lock {
  kind: 'image' | 'album' | 'request';
  id: string;
  passwordHash: string;
}

/** Checks passwords of images and albums, and limits guesses. */
export interface PasswordTries {
  /**
   * Whether the password is right.
   * @param address the client's IP address
   * @param signal ends the wait of a client that has disconnected
   * @throws RequestError `rate_limited` after 10 failures in 5 minutes from this address on this lock, for right passwords too; and after
   * 100 from all addresses that haven't opened it
   */
  isRight(lock: Lock, password: string, address: string, signal?: AbortSignal): Promise<boolean>;
}

const MAX_FAILURES = 10;
const MAX_FAILURES_PER_LOCK = 100;
const WINDOW_SECONDS = 300;
const MAX_REMEMBERED = 10_000;

/**
 * Only failures count, and the count survives a restart. Guesses at one lock run one at a time, so that parallel requests can't exceed the
 * limit. A right password is remembered as a keyed hash, so that a page of pictures costs one argon2.
 */
export function createPasswordTries(secrets: Pick<Secrets, 'sign'>, limits: Limits, verify = verifyPassword): PasswordTries {
  const counter = (name: string, points: number, keepsAll = false) =>
    limits.counter(name, { points, duration: WINDOW_SECONDS, durable: true, keepsAll });
  const byAddress = counter('wrong passwords of links by network', MAX_FAILURES);
  // Guesses at locks of one's own must not push out those at another's. Each costs a hash, so there are a few thousand at most.
  const byLock = counter('wrong passwords of links', MAX_FAILURES_PER_LOCK, true);
  const inTurn = createKeyedLock();
  const right = recentCache<true>(MAX_REMEMBERED);
  /** Networks that have opened a lock: strangers' failures don't count against them, nor theirs against strangers. */
  const openers = recentCache<true>(MAX_REMEMBERED);

  const requireTriesLeft = (failures: Counter, key: string) => requirePointsLeft(failures, key, 'Too many wrong passwords.');

  return {
    isRight({ kind, id, passwordHash }, password, address, signal) {
      const lock = `${kind} ${id}`;
      const network = networkOf(address);
      const who = `${lock} ${network}`;
      return inTurn(lock, async () => {
        if (signal?.aborted) throw new CallerGoneError();
        const opener = `${passwordHash} ${who}`;
        const isOpener = openers.get(opener) === true;
        await requireTriesLeft(byAddress, who);
        if (!isOpener) await requireTriesLeft(byLock, lock);
        const remembered = secrets.sign('password', `${passwordHash} ${password.normalize('NFC')}`);
        if (!right.get(remembered)) {
          if (!(await verify(passwordHash, password, strangersTurn(network, signal)))) {
            await Promise.all([byAddress.penalty(who), ...(isOpener ? [] : [byLock.penalty(lock)])]);
            return false;
          }
          right.set(remembered, true);
        }
        openers.set(opener, true);
        return true;
      });
    },
  };
}
