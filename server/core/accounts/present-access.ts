import type { Token } from '#api/auth/tokens.ts';
import type { Session } from '#api/auth/user.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import type { SessionRow, TokenRow } from '#server/platform/db/schema/accounts.ts';
import type { Member } from './actor.ts';

/** A session as its user and admins see it; `member` is the caller, whose own session is marked. */
export function presentSession(
  { id, address, user_agent, created_at, last_seen_at, expires_at }: SessionRow,
  member: Member,
  opaque: Opaque,
): Session {
  return {
    id: opaque.of('session', id),
    address,
    user_agent,
    created_at: toInstant(created_at),
    last_seen_at: toInstant(last_seen_at),
    expires_at: toInstant(expires_at),
    current: member.via === 'session' && member.id === id,
  };
}

/** A token as its user and admins see it, without its secret. */
export function presentToken({ id, name, scope, created_at, last_used_at, expires_at }: TokenRow, opaque: Opaque): Token {
  const dates = { created_at: toInstant(created_at), last_used_at: toInstant(last_used_at), expires_at: toInstant(expires_at) };
  return { id: opaque.of('token', id), name, scope, ...dates };
}
