import type { Group } from '#api/admin-groups.ts';
import { toInstant } from '../db/instant.ts';
import type { GroupWithCount } from './changes.ts';
import { toGroup } from './groups.ts';

export function presentGroup({ user_count, ...row }: GroupWithCount): Group {
  const { created_at, ...group } = toGroup(row);
  return { ...group, user_count, created_at: toInstant(created_at) };
}
