import type { Profile, Session } from '#api/user.ts';
import type { Member } from '../auth/actor.ts';
import { presentUser } from '../auth/present.ts';
import type { SessionRow } from '../auth/sessions.ts';
import type { UserRow } from '../auth/users.ts';
import { toInstant } from '../db/instant.ts';
import type { Group } from '../groups/groups.ts';
import { preferencesOf } from './preferences.ts';

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
