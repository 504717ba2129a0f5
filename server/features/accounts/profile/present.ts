import type { Profile, Session } from '#api/user.ts';
import type { Member } from '#server/core/accounts/actor.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { SessionRow, UserRow } from '#server/platform/db/schema/accounts.ts';
import { presentUser } from '../present-user.ts';

export function presentProfile(user: UserRow, group: Pick<Group, 'name'>): Profile {
  return { ...presentUser(user), group: group.name, preferences: preferencesOf(user) };
}

export function presentSession({ id, address, user_agent, created_at, last_seen_at, expires_at }: SessionRow, member: Member): Session {
  return {
    id,
    address,
    user_agent,
    created_at: toInstant(created_at),
    last_seen_at: toInstant(last_seen_at),
    expires_at: toInstant(expires_at),
    current: member.via === 'session' && member.id === id,
  };
}
