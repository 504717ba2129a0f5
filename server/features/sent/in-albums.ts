import type { Request } from 'express';
import type { SentImage } from '#api/sent.ts';
import { findPeople } from '#server/core/accounts/people.ts';
import { requireRole } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { tellSent } from '#server/core/journal/changes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import { gone, isShownTo, liveImages, presentSentImage } from './boxes.ts';

// Pictures that were sent to the owner of an album are rows of their own: they are no entries of the album, which others see (decision 182).

/** The pictures that were sent to a user and that they may open. */
const receivedBy = (queries: Queries, userId: number) =>
  liveImages(queries)
    .innerJoin('sending_recipients', 'sending_recipients.sending_id', 'sending_images.sending_id')
    .where('sending_recipients.user_id', '=', userId)
    .where('removed_at', 'is', null);

const ORDER: Order = { direction: 'desc', columns: { 'album_received.added_at': 'number', 'images.key': 'string' } };

/** @throws NotFoundError, ForbiddenError for an album that isn't the user's */
export async function listInAlbum(
  { db, links, unlocking }: Pick<Context, 'db' | 'links' | 'unlocking'>,
  userId: number,
  albumId: string,
  page: PageRequest,
  request: Request,
): Promise<Page<SentImage>> {
  await requireRole(db.read, userId, albumId, 'owner');
  const rows = receivedBy(db.read, userId)
    .innerJoin('album_received', (join) =>
      join.onRef('album_received.sending_id', '=', 'sending_images.sending_id').onRef('album_received.image_id', '=', 'images.id'),
    )
    .where('album_received.album_id', '=', albumId)
    .selectAll('images')
    .select(['album_received.added_at', 'sender_id']);
  const { items, next_cursor } = await keysetPage(rows, ORDER, page);
  const senders = await findPeople(
    db.read,
    items.map(({ sender_id }) => sender_id),
  );
  const present = ({ sender_id, ...row }: (typeof items)[number]) => {
    const sender = senders.get(sender_id);
    return sender && isShownTo(request, row, unlocking) ? [presentSentImage(row, links, sender)] : [];
  };
  return { items: items.flatMap(present), next_cursor };
}

/** @throws NotFoundError unless all were sent to the user at once, and are still there */
export async function putInAlbum(
  db: WritableDatabase,
  userId: number,
  albumId: string,
  { sent_id, keys }: { sent_id: string; keys: readonly string[] },
): Promise<void> {
  await db.write(async (queries) => {
    await requireRole(queries, userId, albumId, 'owner');
    const images = await receivedBy(queries, userId)
      .select('images.id')
      .where('sending_images.sending_id', '=', sent_id)
      .where('images.key', 'in', keys)
      .execute();
    if (images.length < new Set(keys).size) throw gone();
    const added_at = Date.now();
    await queries
      .insertInto('album_received')
      .values(images.map(({ id }) => ({ album_id: albumId, image_id: id, sending_id: sent_id, added_at })))
      .onConflict((row) => row.columns(['album_id', 'image_id']).doUpdateSet({ sending_id: sent_id }))
      .execute();
    tellSent(queries, 'sent.changed', [{ user_id: userId, sending_id: sent_id }]);
  });
}

/** @throws NotFoundError for a picture that isn't in the album */
export async function takeOutOfAlbum(db: WritableDatabase, userId: number, albumId: string, key: string): Promise<void> {
  await db.write(async (queries) => {
    await requireRole(queries, userId, albumId, 'owner');
    const removed = await queries
      .deleteFrom('album_received')
      .where('album_id', '=', albumId)
      .where('image_id', 'in', (from) => from.selectFrom('images').select('id').where('key', '=', key))
      .returning('sending_id')
      .executeTakeFirst();
    if (!removed) throw new NotFoundError('This picture isn’t in the album any more. Reload the page.');
    tellSent(queries, 'sent.changed', [{ user_id: userId, ...removed }]);
  });
}
