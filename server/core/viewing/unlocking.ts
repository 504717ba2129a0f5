import type { Request, Response } from 'express';
import { DAY_MS, HOUR_MS } from '#api/durations.ts';
import { safeEqual } from '#server/platform/base/secret-text.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/headers/cookies.ts';
import { leaving } from '#server/platform/http/limits/leaving.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { createPasswordTries, type Lock } from './password-tries.ts';

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
  /** Whether a request for a part of a view-limited video comes from a client that has used up a view of it, to play it. */
  isPlaying(request: Request, image: ImageRow): boolean;
  /** Lets a client play a video for whose view it has just been counted: as long as it takes, and an hour, so that it can pause and seek. */
  startPlaying(request: Request, response: Response, image: ImageRow): void;
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
    isPlaying(request, image) {
      if (image.duration === null || image.max_views === 0 || request.headers.range === undefined) return false;
      const [expires = '', sealed = ''] = (cookiesOf(request)[playingName(image)] ?? '').split('.', 2);
      return /^\d{1,15}$/.test(expires) && Number(expires) > Date.now() && safeEqual(sealed, sealPlaying(secrets, image, Number(expires)));
    },
    startPlaying(request, response, image) {
      const lifetime = (image.duration ?? 0) + HOUR_MS;
      const expires = Date.now() + lifetime;
      // Sent with requests for this video only.
      const options = cookieAttributes(request, request.path);
      response.cookie(playingName(image), `${expires}.${sealPlaying(secrets, image, expires)}`, { ...options, maxAge: lifetime });
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

const playingName = ({ key }: Pick<ImageRow, 'key'>) => `pixdock_play_${key}`;

/** Binds a cookie to a video, its file, its current password and an expiry. */
const sealPlaying = (secrets: Pick<Secrets, 'sign'>, { key, sha256, password_hash }: ImageRow, expires: number): string =>
  secrets.sign('play', [key, sha256, password_hash, expires].join('\n'));

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
function setUnlockCookie(secrets: Pick<Secrets, 'sign'>, request: Request, response: Response, lock: Lock): void {
  const options = cookieAttributes(request);
  const expires = Date.now() + LIFETIME_MS;
  response.cookie(nameOf(lock), `${expires}.${seal(secrets, lock, expires)}`, { ...options, maxAge: LIFETIME_MS });
  const others = unlockCookies(request).filter(({ name }) => name !== nameOf(lock));
  for (const { name } of others.sort((a, b) => b.expires - a.expires).slice(MAX_COOKIES - 1)) response.clearCookie(name, options);
}

/** Whether a request carries a valid cookie for this lock. */
function hasUnlockCookie(secrets: Pick<Secrets, 'sign'>, request: Request, lock: Lock): boolean {
  const cookie = unlockCookies(request).find(({ name }) => name === nameOf(lock));
  return cookie !== undefined && cookie.expires > Date.now() && safeEqual(cookie.seal, seal(secrets, lock, cookie.expires));
}

/** The images that a request claims to have unlocked; check each with {@link hasUnlockCookie}. */
function claimedImages(request: Request): string[] {
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
