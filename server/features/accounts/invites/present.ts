import type { Invite } from '#api/auth/invites.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { InviteRow } from '#server/platform/db/schema/accounts.ts';

export function presentInvite({ id, note, email, group_id, created_at, expires_at, used_at, used_by }: InviteRow): Invite {
  return {
    id,
    note,
    email,
    group_id,
    created_at: toInstant(created_at),
    expires_at: toInstant(expires_at),
    used_at: toInstant(used_at),
    used_by,
  };
}
