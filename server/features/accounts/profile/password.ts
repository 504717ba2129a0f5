import type { Member } from '#server/core/accounts/actor.ts';
import { requireOwnPassword } from '#server/core/accounts/own-password.ts';
import type { PasswordGuard } from '#server/core/accounts/password-guard.ts';
import { requireStrong } from '#server/core/accounts/password-strength.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import { setPasswordHash } from '#server/core/accounts/users.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

export interface PasswordChange {
  current_password?: string | undefined;
  new_password: string;
  revoke_tokens: boolean;
}

/**
 * Sets a new password, or the first one, and ends all other sessions of the account, including stolen ones; on request, its API tokens, too.
 * @returns the account with its new password
 * @throws RequestError for a missing or wrong current password
 */
export async function changePassword(
  db: Database,
  guard: PasswordGuard,
  member: Member,
  { current_password, new_password, revoke_tokens }: PasswordChange,
): Promise<UserRow> {
  await requireOwnPassword(guard, member, current_password);
  await requireStrong(new_password, 'new_password', [member.user.username, member.user.email]);
  const passwordHash = await hashPassword(new_password);
  await db.write(async (queries) => {
    await setPasswordHash(queries, member.user.id, passwordHash);
    await endSessions(queries, member.user.id, member.id);
    if (revoke_tokens) await revokeTokens(queries, member.user.id);
  });
  return { ...member.user, password_hash: passwordHash };
}
