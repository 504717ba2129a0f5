import type { Member } from '#server/core/accounts/actor.ts';
import { requireOwnPassword } from '#server/core/accounts/own-password.ts';
import type { PasswordGuard } from '#server/core/accounts/password-guard.ts';
import { requireFree, toKey } from '#server/core/accounts/users.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

export interface ProfileChanges {
  username?: string | undefined;
  email?: string | null | undefined;
  current_password?: string | undefined;
}

/**
 * Changes the user name and e-mail address of the caller's account. An address that a user has entered is good for signing
 * in by password, but never for single sign-on.
 * @throws RequestError `forbidden` for a token that changes the address, `wrong_password`, `conflict` for a name or address in use
 */
export async function changeProfile(db: Database, guard: PasswordGuard, member: Member, changes: ProfileChanges): Promise<UserRow> {
  const { user } = member;
  const { username = user.username, email = user.email, current_password } = changes;
  const otherEmail = keyOf(email) !== user.email_key;
  if (otherEmail) {
    if (member.via !== 'session') throw new ForbiddenError('Tokens can’t change the email address. Sign in to change it.');
    await requireOwnPassword(guard, member, current_password);
  }
  return db.write(async (queries) => {
    await requireFree(queries, { username, email }, user.id);
    return queries
      .updateTable('users')
      .set({ username, username_key: toKey(username), email, email_key: keyOf(email), ...(otherEmail && { email_source: 'user' }) })
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

const keyOf = (email: string | null) => email && toKey(email);
