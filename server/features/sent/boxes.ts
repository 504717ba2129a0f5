import type { Request } from 'express';
import { sql } from 'kysely';
import type { Person } from '#api/albums/albums.ts';
import type { Sent, SentImage } from '#api/sent.ts';
import { findPeople, presentPerson } from '#server/core/accounts/people.ts';
import type { Context } from '#server/core/context.ts';
import { presentShare } from '#server/core/images/present.ts';
import { removeFromOwnAlbums, removeSendings, sentRemoved } from '#server/core/images/sendings.ts';
import { tellSent } from '#server/core/journal/changes.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { imageLock } from '#server/core/viewing/unlocking.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetQuery, type Order, type Page, type PageRequest, pageOf } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { SendingRow } from '#server/platform/db/schema/sendings.ts';

export type Box = 'in' | 'out';

/** What a user has sent, or was sent. */
interface Listed extends SendingRow {
  seen_at: number | null;
}

const ORDERS: Record<Box, Order> = {
  in: { direction: 'desc', columns: { 'sending_recipients.sent_at': 'number', 'sending_recipients.sending_id': 'string' } },
  out: { direction: 'desc', columns: { created_at: 'number', id: 'string' } },
};

/** Pictures and recipients of all entries of a page, unless a single one has more. */
const MAX_ON_PAGE = 1_000;

export async function listBox(queries: Queries, userId: number, box: Box, page: PageRequest): Promise<Page<Listed>> {
  if (page.limit === 0) return { items: [], next_cursor: null };
  const rows = await (box === 'in'
    ? keysetQuery(received(queries, userId).selectAll('sendings').select(['seen_at', 'sent_at', 'sending_id']), ORDERS.in, page).execute()
    : keysetQuery(sentBy(queries, userId), ORDERS.out, page).execute());
  let [total, limit] = [0, 0];
  for (const row of rows.slice(0, page.limit)) {
    total += row.image_count + ('recipient_count' in row ? row.recipient_count : 0);
    if (limit > 0 && total > MAX_ON_PAGE) break;
    limit++;
  }
  return pageOf(
    rows.map((row) => ({ seen_at: null, ...row })),
    ORDERS[box],
    limit,
  );
}

const sentBy = (queries: Queries, userId: number) =>
  queries
    .selectFrom('sendings')
    .selectAll()
    .select((row) =>
      row
        .selectFrom('sending_recipients')
        .select((recipient) => recipient.fn.countAll<number>().as('count'))
        .whereRef('sending_id', '=', 'sendings.id')
        .$asScalar()
        .$notNull()
        .as('recipient_count'),
    )
    .where('sender_id', '=', userId);

const received = (queries: Queries, userId: number) =>
  queries
    .selectFrom('sending_recipients')
    .innerJoin('sendings', 'sendings.id', 'sending_recipients.sending_id')
    .where('sending_recipients.user_id', '=', userId)
    .where('removed_at', 'is', null);

export async function countUnseen(queries: Queries, userId: number): Promise<number> {
  const { count } = await queries
    .selectFrom('sending_recipients')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** What the lists show of each. @param request of the recipient, whose browser may have unlocked some of the pictures */
export async function presentSent(
  { db, links, unlocking }: Pick<Context, 'db' | 'links' | 'unlocking'>,
  box: Box,
  rows: readonly Listed[],
  request: Request,
): Promise<Sent[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const live = liveImages(db.read).selectAll('images').select('sending_images.sending_id').where('sending_images.sending_id', 'in', ids);
  const images = Map.groupBy(await live.orderBy('sending_images.position').execute(), ({ sending_id }) => sending_id);
  const senders = await findPeople(
    db.read,
    rows.map(({ sender_id }) => sender_id),
  );
  const recipients = box === 'out' ? Map.groupBy(await recipientsOf(db.read, ids), ({ sending_id }) => sending_id) : undefined;
  return rows.map(({ id, sender_id, message, image_count, created_at, seen_at }) => {
    const sender = senders.get(sender_id) as Person;
    return {
      id,
      sender,
      ...(recipients && {
        recipients: (recipients.get(id) ?? []).map(({ seen_at: seen, ...user }) => ({ ...presentPerson(user), seen_at: toInstant(seen) })),
      }),
      message,
      created_at: toInstant(created_at),
      seen_at: toInstant(seen_at),
      image_count,
      items: (images.get(id) ?? [])
        .filter((row) => box === 'out' || isShownTo(request, row, unlocking))
        .map((row) => presentSentImage(row, links, sender)),
    };
  });
}

/** Whether the lists of a recipient show a picture: without a view limit, and without a password unless their browser has unlocked it. */
export function isShownTo(request: Request, row: ImageRow, unlocking: Context['unlocking']): boolean {
  const lock = imageLock(row);
  return row.max_views === 0 && (!lock || unlocking.hasCookie(request, lock));
}

export const presentSentImage = (row: ImageRow, links: Context['links'], owner: Person): SentImage => ({
  ...presentShare(row, links),
  taken_at: toInstant(row.taken_at),
  thumbhash: row.thumbhash || null,
  animated: row.animated === 1,
  owner,
});

/** The pictures that were sent, as long as they are live and their sender's. */
export const liveImages = (queries: Queries) =>
  queries
    .selectFrom('sending_images')
    .innerJoin('sendings', 'sendings.id', 'sending_images.sending_id')
    .innerJoin('images', 'images.id', 'sending_images.image_id')
    // The sender's index would lead to all their pictures.
    .where(sql`coalesce(images.owner_id, 0)`, '=', sql.ref('sendings.sender_id'))
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', Date.now())]));

const recipientsOf = (queries: Queries, ids: readonly string[]) =>
  queries
    .selectFrom('sending_recipients')
    .innerJoin('users', 'users.id', 'sending_recipients.user_id')
    .select(['sending_id', 'users.id', 'username', 'avatar', 'seen_at'])
    .where('sending_id', 'in', ids)
    .orderBy('username_key')
    .execute();

export const gone = () => new NotFoundError('These pictures are no longer here. They may have been taken back.');

/** Notes that a recipient has seen what was sent to them. @throws NotFoundError when nothing was, or it has ended */
export async function markSeen(db: WritableDatabase, userId: number, id: string): Promise<void> {
  await db.write(async (queries) => {
    const row = await received(queries, userId).select(['sender_id', 'seen_at']).where('sendings.id', '=', id).executeTakeFirst();
    if (!row) throw gone();
    if (row.seen_at !== null) return;
    await queries
      .updateTable('sending_recipients')
      .set({ seen_at: Date.now() })
      .where('sending_id', '=', id)
      .where('user_id', '=', userId)
      .execute();
    tellSent(
      queries,
      'sent.changed',
      [row.sender_id, userId].map((user_id) => ({ user_id, sending_id: id })),
    );
  });
}

/** Takes back what a user has sent, or removes what was sent to them from their list. @throws NotFoundError when it is neither */
export async function removeSent(db: WritableDatabase, userId: number, id: string): Promise<void> {
  await db.write(async (queries) => {
    const sending = await queries.selectFrom('sendings').select(['id', 'sender_id']).where('id', '=', id).executeTakeFirst();
    if (sending?.sender_id === userId) return removeSendings(queries, [sending]);
    const { numUpdatedRows } = await queries
      .updateTable('sending_recipients')
      .set({ removed_at: Date.now() })
      .where('sending_id', '=', id)
      .where('user_id', '=', userId)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (!sending || numUpdatedRows === 0n) throw gone();
    await removeFromOwnAlbums(queries, userId, id);
    tellSent(queries, 'sent.changed', [{ user_id: userId, sending_id: id }]);
    await enqueueEvent(queries, sentRemoved(sending, [userId]));
  });
}
