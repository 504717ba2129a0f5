import type { Group } from '#server/core/accounts/groups.ts';
import { formatDuration } from '#server/platform/base/durations.ts';
import { RequestError } from '#server/platform/base/errors.ts';

/**
 * Checks an expiry in seconds against a group's limit. Null and 0 mean permanent, which a group with a limit refuses.
 * @throws RequestError `expires_over_group`
 */
export function requireExpiryWithin(group: Pick<Group, 'max_expires_in'>, seconds: number | null | undefined): void {
  const cap = group.max_expires_in;
  if (seconds === undefined || cap === 0 || (seconds !== null && seconds > 0 && seconds <= cap)) return;
  throw new RequestError('expires_over_group', `Links can last at most ${formatDuration(cap)} here. Choose a shorter time.`, {
    field: 'expires_in',
    limit: cap,
  });
}

/** Checks a view limit against the group's. @throws RequestError `max_views_over_group` */
export function requireViewsWithin(group: Pick<Group, 'max_max_views'>, views: number | null | undefined): void {
  const cap = group.max_max_views;
  if (views === undefined || cap === 0 || (views !== null && views > 0 && views <= cap)) return;
  throw new RequestError('max_views_over_group', `The view limit can be at most ${cap}. Choose a lower one.`, {
    field: 'max_views',
    limit: cap,
  });
}
