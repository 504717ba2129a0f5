import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { classify } from '#api/failures.ts';
import { AlbumError } from './albums.ts';

/** Permanent refusals that every further file would get as well. */
const FATAL_CODES: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'guest_disabled',
  'unknown_host',
  'quota_exceeded',
  'policy_not_allowed',
  'album_not_found',
  'expires_over_group',
  'max_views_over_group',
];

/** Whether other uploads would fail in the same way. */
export function concernsAllFiles(error: unknown): error is Error {
  if (classify(error) === 'wait') return true;
  if (error instanceof ApiError) return FATAL_CODES.includes(error.code);
  return error instanceof AlbumError || isUnreachable(error);
}

/** Whether no server responded. */
export function isUnreachable(error: unknown): error is Error {
  return error instanceof NetworkError && error.status === undefined && classify(error) === 'retry';
}
