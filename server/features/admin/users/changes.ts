import type * as api from '#api/admin/users.ts';
import type { AuditAction } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import { groupOfKind, isForMembers } from '#server/core/accounts/groups.ts';
import { requireStrong } from '#server/core/accounts/password-strength.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import { insertUser, requireFree, setPasswordHash, toKey } from '#server/core/accounts/users.ts';
import { moveToGroup } from '#server/core/albums/members.ts';
import { requireNotDeleted, startDeletion } from '#server/core/deletion/start.ts';
import { renewDeletionLinks } from '#server/core/images/links.ts';
import { endSendings } from '#server/core/images/sendings.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { pauseRequests } from '#server/core/requests/request-links.ts';
import { InvalidRequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { requireMayChange, requireMayDelete, requireMayResetPassword } from './access.ts';

export const NO_ACCOUNT = 'This account no longer exists. Reload the list.';

export type NewAccount = RouteParsed<typeof api.createUser, 'body'>;
export type AccountChanges = RouteParsed<typeof api.changeUser, 'body'>;

/** Creates an account and returns its id. @throws RequestError when name or e-mail is in use, or the group can't have members */
export async function createAccount(db: WritableDatabase, account: NewAccount, origin: AuditOrigin): Promise<number> {
  await requireStrong(account.password, 'password', [account.username, account.email]);
  const passwordHash = await hashPassword(account.password);
  return db.write(async (queries) => {
    const { username, email, role, group_id } = account;
    await requireFree(queries, { username, email });
    const groupId = group_id === undefined ? (await groupOfKind(queries, 'default')).id : await groupForMembers(queries, group_id);
    const user = await insertUser(
      queries,
      { username, email, emailSource: 'admin', passwordHash, role, isOwner: false, groupId },
      Date.now(),
    );
    await recordAudit(queries, origin, { action: 'user.created', target: username, details: { role, group_id: groupId } });
    return user.id;
  });
}

/** What an administrator does to an account. */
interface AdminAction {
  actor: UserRow;
  id: number;
  origin: AuditOrigin;
}

/** Changes an account. @throws RequestError for a change that isn't allowed */
export async function changeAccount(db: WritableDatabase, { actor, id, origin }: AdminAction, changes: AccountChanges): Promise<void> {
  await db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayChange(actor, user, changes);
    await requireNotDeleted(queries, id);
    const { email, role, group_id, disabled } = changes;
    if (email !== undefined) await setEmail(queries, user, email);
    if (role !== undefined) await queries.updateTable('users').set({ role }).where('id', '=', id).execute();
    if (group_id !== undefined)
      await moveToGroup(queries, user, group_id === user.group_id ? group_id : await groupForMembers(queries, group_id));
    if (disabled !== undefined) await setDisabled(queries, user, disabled);
    await recordAudit(queries, origin, { action: actionOf(user, changes), target: user.username, details: changes });
  });
}

function actionOf(user: UserRow, { disabled }: AccountChanges): AuditAction {
  if (disabled === undefined || disabled === (user.disabled_at !== null)) return 'user.changed';
  return disabled ? 'user.disabled' : 'user.enabled';
}

async function setEmail(queries: Queries, user: UserRow, email: string | null) {
  await requireFree(queries, { email }, user.id);
  await queries
    .updateTable('users')
    .set({ email, email_key: email && toKey(email), email_source: 'admin' })
    .where('id', '=', user.id)
    .execute();
}

/** Sessions, tokens, deletion links, and what the account has sent or was sent end in the same commit, permanently; links to pictures stay. Request links are paused until their owner resumes them. */
async function setDisabled(queries: Queries, user: UserRow, disabled: boolean) {
  // Before the account, as an upload does: the other order could deadlock with it.
  if (disabled) await pauseRequests(queries, user.id);
  const disabled_at = disabled ? (user.disabled_at ?? Date.now()) : null;
  await queries.updateTable('users').set({ disabled_at }).where('id', '=', user.id).execute();
  if (!disabled) return;
  await endSessions(queries, user.id);
  await revokeTokens(queries, user.id);
  await renewDeletionLinks(queries, user.id);
  await endSendings(queries, user.id);
}

/**
 * Sets a new password, ends all sessions and, unless they are kept, revokes all API tokens.
 * @throws RequestError for the owner's account, except to the owner
 */
export async function resetPassword(
  db: WritableDatabase,
  { actor, id, origin }: AdminAction,
  { password, revoke_tokens }: { password: string; revoke_tokens: boolean },
): Promise<void> {
  const { username, email } = await requireUser(db.read, id);
  await requireStrong(password, 'password', [username, email]);
  const passwordHash = await hashPassword(password);
  await db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayResetPassword(actor, user);
    await requireNotDeleted(queries, id);
    await setPasswordHash(queries, id, passwordHash);
    await endSessions(queries, id);
    if (revoke_tokens) await revokeTokens(queries, id);
    await recordAudit(queries, origin, { action: 'user.password_reset', target: user.username, details: { revoke_tokens } });
  });
}

/**
 * Starts to delete an account.
 * @param recipientId who gets its pictures and albums; null: its trash
 * @throws RequestError for the owner's or the admin's own account, one that is being deleted, or a wrong recipient
 */
export async function deleteAccount(db: WritableDatabase, { actor, id, origin }: AdminAction, recipientId: number | null): Promise<void> {
  await db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayDelete(actor, user);
    await startDeletion(queries, user, recipientId, origin);
  });
}

export async function requireUser(queries: Queries, id: number): Promise<UserRow> {
  return requireFound(await queries.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(), NO_ACCOUNT);
}

/** The id, if that group can have members. */
async function groupForMembers(queries: Queries, id: number): Promise<number> {
  const group = await queries.selectFrom('groups').select('kind').where('id', '=', id).executeTakeFirst();
  if (!group)
    throw new InvalidRequestError('This group no longer exists. Choose another one.', { field: 'group_id', problem: 'not_available' });
  if (!isForMembers(group))
    throw new InvalidRequestError('This group is reserved for guests or the owner. Choose another one.', {
      field: 'group_id',
      problem: 'not_available',
    });
  return id;
}
