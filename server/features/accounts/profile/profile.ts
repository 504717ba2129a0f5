import type { Preferences, Profile } from '#api/auth/user.ts';
import type { Member } from '#server/core/accounts/actor.ts';
import { confirmIdentity } from '#server/core/accounts/confirm-identity.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { requireStrong } from '#server/core/accounts/password-strength.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import { requireFree, setPasswordHash, toKey } from '#server/core/accounts/users.ts';
import { requireAddableAlbum } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { startDeletion } from '#server/core/deletion/start.ts';
import type { AuditOrigin } from '#server/core/journal/audit.ts';
import { ForbiddenError, RequestError } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { presentUser } from '../present-user.ts';

type Confirming = Pick<Context, 'passwordGuard'> & { db: WritableDatabase };

export interface ProfileChanges {
  username?: string | undefined;
  email?: string | null | undefined;
  current_password?: string | undefined;
  recognize_text?: boolean | undefined;
}

/**
 * Changes the user name and e-mail address of the caller's account, and whether text in its images is recognised. An address that a user has
 * entered is good for signing in by password, but never for single sign-on.
 * @throws RequestError `forbidden` for a token that changes the address, like `confirmIdentity`, `conflict` for a name or address in use
 */
export async function changeProfile({ db, passwordGuard }: Confirming, member: Member, changes: ProfileChanges): Promise<UserRow> {
  const { user } = member;
  const { username = user.username, email = user.email, current_password, recognize_text } = changes;
  const otherEmail = keyOf(email) !== user.email_key;
  if (otherEmail) {
    if (member.via !== 'session') throw new ForbiddenError('Tokens can’t change the email address. Sign in to change it.');
    await confirmIdentity({ db, passwordGuard }, member, current_password);
  }
  return db.write(async (queries) => {
    await requireFree(queries, { username, email }, user.id);
    return queries
      .updateTable('users')
      .set({
        username,
        username_key: toKey(username),
        email,
        email_key: keyOf(email),
        ...(otherEmail && { email_source: 'user' }),
        ...(recognize_text !== undefined && { recognize_text: recognize_text ? 1 : 0 }),
      })
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

const keyOf = (email: string | null) => email && toKey(email);

export interface PasswordChange {
  current_password?: string | undefined;
  new_password: string;
  revoke_tokens: boolean;
}

/**
 * Sets a new password, or the first one, and ends all other sessions of the account, including stolen ones; on request, its API tokens, too.
 * @returns the account with its new password
 * @throws like `confirmIdentity`
 */
export async function changePassword(
  { db, passwordGuard }: Confirming,
  member: Member,
  { current_password, new_password, revoke_tokens }: PasswordChange,
): Promise<UserRow> {
  await confirmIdentity({ db, passwordGuard }, member, current_password);
  await requireStrong(new_password, 'new_password', [member.user.username, member.user.email]);
  const passwordHash = await hashPassword(new_password);
  await db.write(async (queries) => {
    await setPasswordHash(queries, member.user.id, passwordHash);
    await endSessions(queries, member.user.id, member.id);
    if (revoke_tokens) await revokeTokens(queries, member.user.id);
  });
  return { ...member.user, password_hash: passwordHash };
}

/**
 * Changes some of a user's preferences and returns all of them.
 * @throws RequestError for another user's album, or a policy that the group doesn't allow
 */
export function changePreferences(db: WritableDatabase, userId: number, changes: Partial<Preferences>): Promise<Preferences> {
  return db.write(async (queries) => {
    const user = await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
    await requireUsable(queries, user, changes);
    const next = { ...preferencesOf(user), ...changes };
    await queries
      .updateTable('users')
      .set({ preferences: JSON.stringify(next) })
      .where('id', '=', userId)
      .execute();
    return next;
  });
}

async function requireUsable(queries: Queries, user: UserRow, { album_id, policy_id }: Partial<Preferences>) {
  if (album_id) await requireAddableAlbum(queries, user.id, album_id);
  if (policy_id && !(await groupById(queries, user.group_id)).policy_ids.includes(policy_id))
    throw new RequestError('policy_not_allowed', 'Your group can’t use this storage policy.', { field: 'policy_id' });
}

/**
 * Starts to delete the caller's account; its pictures go to its trash.
 * @throws like `confirmIdentity` or `startDeletion`
 */
export async function deleteOwnAccount(
  { db, passwordGuard }: Confirming,
  member: Member,
  currentPassword: string | undefined,
  origin: AuditOrigin,
): Promise<void> {
  await confirmIdentity({ db, passwordGuard }, member, currentPassword);
  await db.write(async (queries) => {
    const user = await queries.selectFrom('users').selectAll().where('id', '=', member.user.id).executeTakeFirstOrThrow();
    await startDeletion(queries, user, null, origin);
  });
}

export function presentProfile(user: UserRow, group: Pick<Group, 'name'>): Profile {
  return { ...presentUser(user), group: group.name, preferences: preferencesOf(user), recognize_text: user.recognize_text === 1 };
}
