import { tellSent } from '#server/core/journal/changes.ts';
import { enqueueEvents, type WebhookEvent } from '#server/core/journal/events.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { SendingRow } from '#server/platform/db/schema/sendings.ts';

/** Whether an image has been sent to a user by its present owner, and neither has ended that: it then opens for them even if it is private. */
export async function isSentTo(queries: Queries, { id, owner_id }: Pick<ImageRow, 'id' | 'owner_id'>, userId: number): Promise<boolean> {
  if (owner_id === null) return false;
  const row = await queries
    .selectFrom('sending_images')
    .innerJoin('sendings', 'sendings.id', 'sending_images.sending_id')
    .innerJoin('sending_recipients', 'sending_recipients.sending_id', 'sending_images.sending_id')
    .select('image_id')
    .where('image_id', '=', id)
    .where('sender_id', '=', owner_id)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes back what was sent, in a unit of writing. */
export async function removeSendings(queries: Queries, sendings: readonly Pick<SendingRow, 'id' | 'sender_id'>[]): Promise<void> {
  if (sendings.length === 0) return;
  const ids = sendings.map(({ id }) => id);
  const recipients = await queries
    .selectFrom('sending_recipients')
    .select(['sending_id', 'user_id'])
    .where('sending_id', 'in', ids)
    .where('removed_at', 'is', null)
    .execute();
  await queries.deleteFrom('sendings').where('id', 'in', ids).execute();
  tellSent(queries, 'sent.changed', [...sendings.map(ofSender), ...recipients]);
  const usersOf = Map.groupBy(recipients, ({ sending_id }) => sending_id);
  await enqueueEvents(
    queries,
    sendings.map((sending) => sentRemoved(sending, usersOf.get(sending.id)?.map(({ user_id }) => user_id) ?? [])),
  );
}

/** A sending in its sender's list. */
const ofSender = ({ id, sender_id }: Pick<SendingRow, 'id' | 'sender_id'>) => ({ user_id: sender_id, sending_id: id });

/** Something that was sent has ended for some of its recipients. */
export const sentRemoved = ({ id, sender_id }: Pick<SendingRow, 'id' | 'sender_id'>, recipient_ids: readonly number[]): WebhookEvent => ({
  type: 'sent.removed',
  data: { id, sender_id, recipient_ids },
});

/** Ends what an account has sent, and what was sent to it, permanently: in the unit of writing that disables or deletes the account. */
export async function endSendings(queries: Queries, userId: number): Promise<void> {
  await removeSendings(queries, await queries.selectFrom('sendings').select(['id', 'sender_id']).where('sender_id', '=', userId).execute());
  await removeFromOwnAlbums(queries, userId);
  const received = await queries
    .deleteFrom('sending_recipients')
    .where('user_id', '=', userId)
    .returning(['sending_id', 'removed_at'])
    .execute();
  const ended = received.filter(({ removed_at }) => removed_at === null).map(({ sending_id }) => sending_id);
  if (ended.length === 0) return;
  const sendings = await queries.selectFrom('sendings').select(['id', 'sender_id']).where('id', 'in', ended).execute();
  tellSent(queries, 'sent.changed', sendings.map(ofSender));
  await enqueueEvents(
    queries,
    sendings.map((sending) => sentRemoved(sending, [userId])),
  );
}

/** Takes images out of what was sent, in the unit of writing in which they get another owner. */
export async function removeSentImages(queries: Queries, imageIds: readonly number[]): Promise<void> {
  if (imageIds.length === 0) return;
  for (const table of ['sending_images', 'album_received'] as const)
    await queries.deleteFrom(table).where('image_id', 'in', imageIds).execute();
}

/** Takes what was sent to a user out of their albums: all, or what was sent at once. */
export async function removeFromOwnAlbums(queries: Queries, userId: number, sendingId?: string): Promise<void> {
  await queries
    .deleteFrom('album_received')
    .where('album_id', 'in', (from) => from.selectFrom('albums').select('id').where('owner_id', '=', userId))
    .$if(sendingId !== undefined, (query) => query.where('sending_id', '=', sendingId as string))
    .execute();
}
