import type { Member } from '../auth/actor.ts';
import type { PasswordGuard } from '../auth/password-guard.ts';
import { hashPassword } from '../auth/passwords.ts';
import { endSessions } from '../auth/sessions.ts';
import { setPasswordHash } from '../auth/users.ts';
import type { Database } from '../db/database.ts';
import { requireOwnPassword } from './profile.ts';

/**
 * Sets a new password, or the first one, and ends all other sessions of the account: whoever has stolen one loses it.
 * @throws RequestError for a missing or wrong current password
 */
export async function changePassword(
  db: Database,
  guard: PasswordGuard,
  member: Member,
  { current_password, new_password }: { current_password?: string | undefined; new_password: string },
): Promise<void> {
  await requireOwnPassword(guard, member, current_password);
  const passwordHash = await hashPassword(new_password);
  await db.write(async (queries) => {
    await setPasswordHash(queries, member.user.id, passwordHash);
    await endSessions(queries, member.user.id, member.id);
  });
}
