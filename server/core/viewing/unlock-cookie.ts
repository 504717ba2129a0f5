import type { Request, Response } from 'express';
import { DAY_MS } from '#api/durations.ts';
import { safeEqual } from '#server/platform/base/secret-text.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/headers/cookies.ts';
import type { Lock } from './password-tries.ts';

const PREFIX = 'pixdock_unlock_';
const LIFETIME_MS = DAY_MS;
/** Older cookies are removed, so that no browser exceeds the limit on request headers. */
const MAX_COOKIES = 20;

const nameOf = ({ kind, id }: Pick<Lock, 'kind' | 'id'>) => `${PREFIX}${kind}_${id}`;

/** Binds a cookie to one image or album, its current password and an expiry. */
function seal(secrets: Pick<Secrets, 'sign'>, { kind, id, passwordHash }: Lock, expires: number): string {
  return secrets.sign('unlock', [kind, id, passwordHash, expires].join('\n'));
}

/** Unlocks one image or album in this browser for a day, or until its password changes. */
export function setUnlockCookie(secrets: Pick<Secrets, 'sign'>, request: Request, response: Response, lock: Lock): void {
  const options = cookieAttributes(request);
  const expires = Date.now() + LIFETIME_MS;
  response.cookie(nameOf(lock), `${expires}.${seal(secrets, lock, expires)}`, { ...options, maxAge: LIFETIME_MS });
  const others = unlockCookies(request).filter(({ name }) => name !== nameOf(lock));
  for (const { name } of others.sort((a, b) => b.expires - a.expires).slice(MAX_COOKIES - 1)) response.clearCookie(name, options);
}

/** Whether a request carries a valid cookie for this lock. */
export function hasUnlockCookie(secrets: Pick<Secrets, 'sign'>, request: Request, lock: Lock): boolean {
  const cookie = unlockCookies(request).find(({ name }) => name === nameOf(lock));
  return cookie !== undefined && cookie.expires > Date.now() && safeEqual(cookie.seal, seal(secrets, lock, cookie.expires));
}

/** The images that a request claims to have unlocked; check each with {@link hasUnlockCookie}. */
export function claimedImages(request: Request): string[] {
  const start = nameOf({ kind: 'image', id: '' });
  const keys = unlockCookies(request).flatMap(({ name }) => (name.startsWith(start) ? [name.slice(start.length)] : []));
  return [...new Set(keys)].slice(0, MAX_COOKIES);
}

function unlockCookies(request: Request): { name: string; expires: number; seal: string }[] {
  return Object.entries(cookiesOf(request)).flatMap(([name, value = '']) => {
    if (!name.startsWith(PREFIX) || !/^\w+$/.test(name)) return [];
    const [expires = '', seal = ''] = value.split('.', 2);
    return [{ name, expires: /^\d{1,15}$/.test(expires) ? Number(expires) : 0, seal }];
  });
}
