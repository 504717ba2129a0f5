import type { Group } from '#api/admin-groups.ts';
import { toGroup } from '#server/core/accounts/groups.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { GroupWithCount } from './changes.ts';

export function presentGroup({ user_count, ...row }: GroupWithCount): Group {
  const { created_at, ...group } = toGroup(row);
  return { ...group, user_count, created_at: toInstant(created_at) };
}
