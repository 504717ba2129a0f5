import type { Request, Response } from 'express';
import { VERSION_LENGTH } from '#api/constants.ts';
import { isPubliclyCacheable } from '#server/core/images/access.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

const NEVER = 'private, no-store';
const YEAR_SECONDS = 31_536_000;
/** For links that name the version of the file: they can't show an older one, but access to the image may change. */
const VERSIONED_SECONDS = 300;

/**
 * How long others may cache an image: never past its expiry, and not at all when it is protected or the response sets a cookie.
 * With `max-age=0` they may store it, but every use asks whether it is still the same (decision 071).
 */
export function cacheControl(image: ImageRow, cacheSeconds: number, request: Request, response: Response): string {
  return response.hasHeader('Set-Cookie') ? NEVER : cacheControlOf(image, cacheSeconds, request.query.v);
}

/** The same for a response without cookies. @param version the link's `?v=` */
export function cacheControlOf(image: ImageRow, cacheSeconds: number, version?: unknown): string {
  if (!isPubliclyCacheable(image)) return NEVER;
  const longest = version === image.sha256.slice(0, VERSION_LENGTH) ? Math.max(cacheSeconds, VERSIONED_SECONDS) : cacheSeconds;
  const left = image.expires_at === null ? longest : Math.floor((image.expires_at - Date.now()) / 1000);
  const seconds = Math.min(longest, left);
  if (seconds <= 0) return 'public, max-age=0, must-revalidate';
  return `public, max-age=${seconds}${seconds >= YEAR_SECONDS ? ', immutable' : ''}`;
}
