import { MAX_EXPIRES_IN } from '#api/constants.ts';
import { DAY } from '#api/durations.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { formatDuration } from '#server/platform/base/durations.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';

/** An expiry as a request names it: in seconds from now, or as an instant with a time zone. 0 and null mean permanent. */
export interface AskedExpiry {
  expires_in?: number | null | undefined;
  expires_at?: string | null | undefined;
}

/** Milliseconds since 1970 of an expiry that was checked; null: permanent, undefined: the request names none. */
export function expiryOf({ expires_in, expires_at }: AskedExpiry, now: number): number | null | undefined {
  if (expires_at) return Date.parse(expires_at);
  if (expires_in) return now + expires_in * 1000;
  return expires_at === undefined && expires_in === undefined ? undefined : null;
}

/**
 * Checks an expiry, whatever the group allows: it must be named once, and be in the future.
 * @throws InvalidRequestError naming the field
 */
export function requireExpiry({ expires_in, expires_at }: AskedExpiry, now: number): void {
  const field = 'expires_at';
  if (expires_at === undefined) return;
  if (expires_in !== undefined) throw new InvalidRequestError('Use either expires_in or expires_at, not both.', { field });
  if (expires_at === null) return;
  const left = Date.parse(expires_at) - now;
  if (left <= 0) throw new InvalidRequestError('This time has passed. Choose a later one.', { field, problem: 'in_the_past' });
  const limit = MAX_EXPIRES_IN / DAY;
  if (left > MAX_EXPIRES_IN * 1000)
    throw new InvalidRequestError(`Choose a time within the next ${limit} days.`, { field, problem: 'too_late', limit });
}

/**
 * Checks an expiry, also against a group's limit. A group with a limit refuses what is permanent.
 * @throws InvalidRequestError, or RequestError `expires_over_group`
 */
export function requireExpiryWithin(group: Pick<Group, 'max_expires_in'>, asked: AskedExpiry, now: number): void {
  requireExpiry(asked, now);
  const expiry = expiryOf(asked, now);
  const cap = group.max_expires_in;
  if (expiry === undefined || cap === 0 || (expiry !== null && expiry <= now + cap * 1000)) return;
  throw new RequestError('expires_over_group', `Links can last at most ${formatDuration(cap)} here. Choose a shorter time.`, {
    field: asked.expires_at === undefined ? 'expires_in' : 'expires_at',
    limit: cap,
  });
}
