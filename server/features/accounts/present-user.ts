import type { User } from '#api/auth/auth.ts';
import { avatarUrlOf } from '#server/core/accounts/avatars.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/** An account as its user sees it. */
export function presentUser(row: UserRow): User {
  const { id, username, email, role } = row;
  return {
    id,
    username,
    email,
    role,
    is_owner: row.is_owner === 1,
    has_password: row.password_hash !== null,
    avatar_url: avatarUrlOf(row),
    created_at: toInstant(row.created_at),
  };
}
