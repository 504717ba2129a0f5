import type { Request, Response } from 'express';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { leaving } from '#server/platform/http/limits/leaving.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { createPasswordTries, type Lock } from './password-tries.ts';
import { claimedImages, hasUnlockCookie, setUnlockCookie } from './unlock-cookie.ts';

/** Which password-protected images and albums a client has unlocked. */
export interface Unlocking {
  /** Whether the request carries the cookie of an earlier unlock. */
  hasCookie(request: Request, lock: Lock): boolean;
  /** Images whose cookie the request claims to carry. */
  claimedImages(request: Request): string[];
  /**
   * Checks the cookie, then the header: the cookie costs nothing.
   * @throws RequestError `rate_limited` after too many wrong passwords
   */
  shown(request: Request, lock: Lock): Promise<'none' | 'right' | 'wrong'>;
  /**
   * Checks a password and sets the cookie if it is right.
   * @throws RequestError `rate_limited`
   */
  unlock(request: Request, response: Response, lock: Lock, password: string): Promise<boolean>;
}

const HEADER = 'x-image-password';

export function createUnlocking(secrets: Secrets, limits: Limits): Unlocking {
  const tries = createPasswordTries(secrets, limits);
  const addressOf = (request: Request) => request.ip ?? '';
  const leavingOf = ({ res }: Request) => res && leaving(res);
  const hasCookie = (request: Request, lock: Lock) => hasUnlockCookie(secrets, request, lock);
  return {
    hasCookie,
    claimedImages,
    async shown(request, lock) {
      if (hasCookie(request, lock)) return 'right';
      const password = headerPassword(request);
      if (!password) return 'none';
      return (await tries.isRight(lock, password, addressOf(request), leavingOf(request))) ? 'right' : 'wrong';
    },
    async unlock(request, response, lock, password) {
      if (!(await tries.isRight(lock, password, addressOf(request), leavingOf(request)))) return false;
      setUnlockCookie(secrets, request, response, lock);
      return true;
    },
  };
}

/** Node reads headers as Latin-1; the bytes of this one are UTF-8. */
function headerPassword(request: Request): string {
  const value = request.headers[HEADER];
  return typeof value === 'string' ? Buffer.from(value, 'latin1').toString('utf8') : '';
}

/** The lock of an image that has a password. */
export function imageLock({ key, password_hash }: Pick<ImageRow, 'key' | 'password_hash'>): Lock | undefined {
  return password_hash === null ? undefined : { kind: 'image', id: key, passwordHash: password_hash };
}
