import type { Request, Response } from 'express';
import { VERSION_LENGTH } from '#api/constants.ts';
import { isPubliclyCacheable } from '#server/core/images/access.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { HeaderList } from '#server/platform/http/headers/default-headers.ts';

const NEVER: HeaderList = ['Cache-Control', 'private, no-store'];
const YEAR_SECONDS = 31_536_000;
/** For links that name the version of the file: they can't show an older one, but access to the image may change. */
const VERSIONED_SECONDS = 300;

export interface CachingRules {
  /** How long a picture may be cached, in seconds. */
  seconds: number;
  /** Whether only some sites may show pictures: then a cache that others share can't have them. */
  isLimited: boolean;
}

/**
 * How long others may cache an image: never past its expiry, and not at all when it is protected or the response sets a cookie.
 * With `max-age=0` they may store it, but every use asks whether it is still the same (decision 071). Scripts of other sites may read what
 * everyone may cache.
 */
export function cachingHead(image: ImageRow, rules: CachingRules, request: Pick<Request, 'query'>, response: Response): HeaderList {
  return response.hasHeader('Set-Cookie') ? NEVER : cachingHeadOf(image, rules, request.query.v);
}

/** The same for a response without cookies. @param version the link's `?v=` */
export function cachingHeadOf(image: ImageRow, { seconds, isLimited }: CachingRules, version?: unknown): HeaderList {
  if (!isPubliclyCacheable(image)) return NEVER;
  const lifetime = lifetimeOf(image, version === image.sha256.slice(0, VERSION_LENGTH) ? Math.max(seconds, VERSIONED_SECONDS) : seconds);
  if (isLimited) return ['Cache-Control', `private, ${lifetime}`];
  return ['Cache-Control', `public, ${lifetime}`, 'Access-Control-Allow-Origin', '*'];
}

function lifetimeOf({ expires_at }: ImageRow, longest: number): string {
  const left = expires_at === null ? longest : Math.floor((expires_at - Date.now()) / 1000);
  const seconds = Math.min(longest, left);
  if (seconds <= 0) return 'max-age=0, must-revalidate';
  return `max-age=${seconds}${seconds >= YEAR_SECONDS ? ', immutable' : ''}`;
}
