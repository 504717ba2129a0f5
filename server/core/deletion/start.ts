import { resetSecondFactors } from '#server/core/accounts/passkeys.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { countTrash } from '#server/core/images/lifetime/trash.ts';
import { endSendings } from '#server/core/images/sendings.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { tellMembers } from '#server/core/journal/changes.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { ForbiddenError, InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/**
 * Starts to delete an account, in a unit of writing: all its access ends at once, and its user name and e-mail address are free again. A job
 * does the rest. The caller must clear the image index afterwards.
 * @param recipientId the account that gets its images and albums; null: its images go to its trash, and its albums become private
 * @throws RequestError `forbidden` for the owner; `conflict` for an account that is being deleted, or is getting the images of one
 */
export async function startDeletion(queries: Queries, user: UserRow, recipientId: number | null, origin: AuditOrigin): Promise<void> {
  // The owner is always an administrator, so at least one remains.
  if (user.is_owner === 1) throw new ForbiddenError('The owner’s account can’t be deleted.');
  await requireNotDeleted(queries, user.id);
  await requireNotRecipient(queries, user);
  const recipient = recipientId === null ? undefined : await findRecipient(queries, user.id, recipientId);
  await endRequests(queries, user.id, recipient !== undefined);
  await endAccess(queries, user);
  await endMemberships(queries, user.id);
  await endSendings(queries, user.id);
  if (!recipient) await closeAlbums(queries, user.id);
  const images = recipient ? user.image_count : user.image_count - (await countTrash(queries, user.id));
  await queries
    .insertInto('account_deletions')
    .values({ user_id: user.id, heir_id: recipient?.id ?? null, images, started_at: Date.now() })
    .execute();
  const details = { images: user.image_count, ...(recipient && { to: recipient.username }) };
  await recordAudit(queries, origin, { action: 'user.deleted', target: user.username, details });
  await enqueueEvent(queries, { type: 'user.deleted', data: { id: user.id, username: user.username } });
}

/** @throws RequestError `conflict` for an account that is being deleted */
export async function requireNotDeleted(queries: Queries, userId: number): Promise<void> {
  if (await isDeleted(queries, userId))
    throw new RequestError('conflict', 'This account is being deleted.', { problem: 'account_deleting' });
}

/** Whether an account is being deleted. */
export async function isDeleted(queries: Queries, userId: number): Promise<boolean> {
  return (await queries.selectFrom('account_deletions').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined;
}

async function requireNotRecipient(queries: Queries, { id, username }: UserRow) {
  const transfer = await queries.selectFrom('account_deletions').select('user_id').where('heir_id', '=', id).executeTakeFirst();
  if (transfer)
    throw new RequestError('conflict', `The pictures of another account are being moved to ${username}. Try again when that’s complete.`, {
      problem: 'heir_of_deletion',
      subject: username,
    });
}

/** @throws InvalidRequestError for the account itself, an unknown one, or one that is being deleted */
async function findRecipient(queries: Queries, id: number, recipientId: number) {
  const recipient = await queries.selectFrom('users').select(['id', 'username']).where('id', '=', recipientId).executeTakeFirst();
  if (!recipient || recipient.id === id || (await isDeleted(queries, recipientId)))
    throw new InvalidRequestError('Choose another account to move the pictures to.', { field: 'to_user_id', problem: 'not_available' });
  return recipient;
}

/** The key keeps the name for searches of admins; no name and no address contains a space. */
async function endAccess(queries: Queries, { id, username_key, disabled_at }: UserRow) {
  await endSessions(queries, id);
  await revokeTokens(queries, id);
  await resetSecondFactors(queries, id);
  await queries.deleteFrom('identities').where('user_id', '=', id).execute();
  await queries.deleteFrom('avatars').where('user_id', '=', id).execute();
  await queries
    .updateTable('users')
    .set({
      username_key: `${username_key} @${id}`,
      email: null,
      email_key: null,
      password_hash: null,
      role: 'user',
      disabled_at: disabled_at ?? Date.now(),
      avatar: null,
    })
    .where('id', '=', id)
    .execute();
}

/** A job removes the account's pictures from these albums; meanwhile they show none of them. */
async function endMemberships(queries: Queries, userId: number) {
  const ended = await queries.deleteFrom('album_members').where('user_id', '=', userId).returningAll().execute();
  tellMembers(queries, ended, { left: true });
  await enqueueAlbumUpdates(
    queries,
    ended.map(({ album_id }) => album_id),
  );
}

/** Links of the account, and those of others to its albums unless another account gets them. */
async function endRequests(queries: Queries, userId: number, keepsAlbums: boolean) {
  await queries.deleteFrom('request_links').where('owner_id', '=', userId).execute();
  if (keepsAlbums) return;
  const albums = queries.selectFrom('albums').select('id').where('owner_id', '=', userId);
  await queries.deleteFrom('request_links').where('album_id', 'in', albums).execute();
}

async function closeAlbums(queries: Queries, ownerId: number) {
  const closed = await queries
    .updateTable('albums')
    .set({ visibility: 'private', updated_at: Date.now() })
    .where('owner_id', '=', ownerId)
    .where('visibility', '=', 'public')
    .returning('id')
    .execute();
  await enqueueAlbumUpdates(
    queries,
    closed.map(({ id }) => id),
  );
}
