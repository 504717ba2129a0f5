import type { Profile } from '#api/auth/user.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { presentUser } from '../present-user.ts';

export function presentProfile(user: UserRow, group: Pick<Group, 'name'>): Profile {
  return { ...presentUser(user), group: group.name, preferences: preferencesOf(user) };
}
