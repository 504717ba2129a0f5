import type { Group } from '#server/core/accounts/groups.ts';
import { RequestError } from '#server/platform/base/errors.ts';

/** Checks a view limit against the group's. @throws RequestError `max_views_over_group` */
export function requireViewsWithin(group: Pick<Group, 'max_max_views'>, views: number | null | undefined): void {
  const cap = group.max_max_views;
  if (views === undefined || cap === 0 || (views !== null && views > 0 && views <= cap)) return;
  throw new RequestError('max_views_over_group', `The view limit can be at most ${cap}. Choose a lower one.`, {
    field: 'max_views',
    limit: cap,
  });
}
