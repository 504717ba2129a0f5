import type { UpdateQueryBuilder } from 'kysely';
import { MAX_REQUEST_FILES, REMOVE_HOURS } from '#api/constants.ts';
import { HOUR_MS, MINUTE_MS } from '#api/durations.ts';
import { isDeleted } from '#server/core/images/access.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { tellReceived } from '#server/core/journal/changes.ts';
import { enqueueEvent, type WebhookEvent } from '#server/core/journal/events.ts';
import { fileTooLarge, NotFoundError } from '#server/platform/base/errors.ts';
import { hashSecret, randomKey } from '#server/platform/base/secret-text.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { RequestBatchRow, RequestFileRow, RequestLinkRow } from '#server/platform/db/schema/requests.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { closedBy, findRequest, noRequest, requestClosed } from './request-links.ts';

/** A sender without further pictures for this long has sent everything. */
export const BATCH_PAUSE_MS = 2 * MINUTE_MS;

/** The sender behind a request. */
export interface RequestSender {
  /** Hash of their secret; null: they have sent none, so nobody can prove later to be them. */
  hash: string | null;
  /** Empty: not given. */
  name: string;
}

/** The mark by which a sender's pictures are theirs. There is none without a secret: all who send none would be one sender. */
export const senderHash = (secret: string | undefined) => (secret === undefined ? null : hashSecret(`sender ${secret}`));

/**
 * Counts a picture that is about to be stored, in the same unit of writing, so that parallel uploads can't exceed the limits together.
 * @throws RequestError when the link has been deleted or takes no more pictures, or this one is larger than what is left
 */
export async function countSent(queries: Queries, linkId: string, size: number): Promise<void> {
  const now = Date.now();
  const { numUpdatedRows } = await queries
    .updateTable('request_links')
    .set((row) => ({ file_count: row('file_count', '+', 1), byte_count: row('byte_count', '+', size) }))
    .where('id', '=', linkId)
    .where('paused_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('file_count', '<', 'max_files')
    .where((row) => row(row('byte_count', '+', size), '<=', row.ref('max_bytes')))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const link = await findRequest(queries, linkId);
  if (!link) throw noRequest();
  const closed = closedBy(link, now);
  throw closed ? requestClosed(closed) : fileTooLarge(link.max_bytes - link.byte_count);
}

/** Records a stored picture as sent, in the unit that has counted it. */
export async function recordSent(queries: Queries, linkId: string, sender: RequestSender, image: ImageRow): Promise<void> {
  const now = Date.now();
  await queries
    .insertInto('request_files')
    .values({
      id: randomKey(22),
      batch_id: await openBatch(queries, linkId, sender, now),
      image_id: image.id,
      name: image.name,
      size: image.size,
      sent_at: now,
    })
    .execute();
}

/** The sender's batch that isn't closed. {@link countSent} has locked the link, so there is at most one. Without a secret, each picture is a batch. */
async function openBatch(queries: Queries, linkId: string, { hash, name }: RequestSender, now: number): Promise<number> {
  const open =
    hash !== null &&
    (await queries
      .updateTable('request_batches')
      .set({ last_at: now, ...(name !== '' && { sender_name: name }) })
      .where('request_id', '=', linkId)
      .where('sender_hash', '=', hash)
      .where('closed_at', 'is', null)
      .returning('id')
      .executeTakeFirst());
  if (open) return open.id;
  const { id } = await queries
    .insertInto('request_batches')
    .values({ request_id: linkId, sender_hash: hash, sender_name: name, last_at: now, closed_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** When a sender can no longer remove a picture, in milliseconds since 1970. */
export const removableUntil = ({ sent_at }: Pick<RequestFileRow, 'sent_at'>) => sent_at + REMOVE_HOURS * HOUR_MS;

/** A picture that was sent, with the picture itself. */
export type SentImage = RequestFileRow & { image: ImageRow };

/**
 * A picture that this sender can still remove.
 * @throws NotFoundError also for another sender's, one that its owner has deleted or replaced, without a secret, and after a day
 */
export async function requireRemovable(queries: Queries, linkId: string, file: string, secret: string | undefined): Promise<SentImage> {
  const found = await sentBy(queries, linkId, secret)
    ?.selectAll('request_files')
    .where('request_files.id', '=', file)
    .where('sent_at', '>', Date.now() - REMOVE_HOURS * HOUR_MS)
    .executeTakeFirst();
  const image = found && (await queries.selectFrom('images').selectAll().where('id', '=', found.image_id).executeTakeFirst());
  if (!found || !image || isDeleted(image) || image.replaced_at !== null) throw nothingToRemove();
  return { ...found, image };
}

/** What this sender has sent through a link; undefined without a secret, since nothing is theirs then. */
function sentBy(queries: Queries, linkId: string, secret: string | undefined) {
  const hash = senderHash(secret);
  if (hash === null) return undefined;
  return queries
    .selectFrom('request_files')
    .innerJoin('request_batches', 'request_batches.id', 'request_files.batch_id')
    .where('request_id', '=', linkId)
    .where('sender_hash', '=', hash);
}

const nothingToRemove = () =>
  new NotFoundError('There’s nothing to remove. You can remove a picture for a day after sending it, from the device that sent it.');

/** What was sent as this image. @throws NotFoundError when its sender has removed it */
export async function findSentImage(queries: Queries, image: Pick<ImageRow, 'id'>): Promise<RequestFileRow> {
  const file = await queries.selectFrom('request_files').selectAll().where('image_id', '=', image.id).executeTakeFirst();
  if (!file) throw noRequest();
  return file;
}

/**
 * Moves a picture to the trash of its owner. The record of who sent it stays, since its owner may restore it; so does its place, or sending and
 * removing in turns would fill the owner's trash, which counts towards their quota.
 * @throws NotFoundError like {@link requireRemovable}
 */
export async function removeSentFile(db: WritableDatabase, linkId: string, file: string, secret: string | undefined): Promise<void> {
  const now = Date.now();
  await db.write(async (queries) => {
    const { image } = await requireRemovable(queries, linkId, file, secret);
    const trashed = { deleted_at: now, trash_reason: 'removed' as const, trash_batch: null, updated_at: now };
    await queries.updateTable('images').set(trashed).where('id', '=', image.id).execute();
    await enqueueEvent(queries, imageDeleted(image));
  });
}

/** Whether a sender has sent pictures that their owner still has. */
export async function hasSent(queries: Queries, linkId: string, secret: string | undefined): Promise<boolean> {
  return (await sentBy(queries, linkId, secret)?.select('request_files.id').limit(1).executeTakeFirst()) !== undefined;
}

/** What this sender can still remove, the latest first. */
export async function listRemovable(queries: Queries, linkId: string, secret: string | undefined): Promise<RequestFileRow[]> {
  const removable = sentBy(queries, linkId, secret)
    ?.innerJoin('images', 'images.id', 'request_files.image_id')
    .selectAll('request_files')
    .where('sent_at', '>', Date.now() - REMOVE_HOURS * HOUR_MS)
    .where((row) => row.or([row('deleted_at', 'is', null), row('trash_reason', '=', 'expired')]))
    .where('replaced_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .orderBy('request_files.id', 'desc')
    .limit(MAX_REQUEST_FILES)
    .execute();
  return removable ?? [];
}

/** The pictures of a batch that aren't in the trash, in the order in which they were sent. */
export async function keysOfBatches(queries: Queries, batchIds: readonly number[]): Promise<Map<number, string[]>> {
  if (batchIds.length === 0) return new Map();
  const rows = await queries
    .selectFrom('request_files')
    .innerJoin('images', 'images.id', 'request_files.image_id')
    .select(['batch_id', 'key'])
    .where('batch_id', 'in', batchIds)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .orderBy('sent_at')
    .orderBy('request_files.id')
    .execute();
  return new Map([...Map.groupBy(rows, (row) => row.batch_id)].map(([id, files]) => [id, files.map(({ key }) => key)]));
}

/**
 * Closes what a sender has sent so far, and notifies the owner. Returns the number of pictures that they are told of.
 * @param name also that of what they have sent within a day, told of before or not; undefined: as it was
 */
export async function finishSending(
  db: WritableDatabase,
  linkId: string,
  { secret, name }: { secret: string | undefined; name: string | undefined },
): Promise<number> {
  const hash = senderHash(secret);
  if (hash === null) return 0;
  const closed = await db.write(async (queries) => {
    if (name !== undefined)
      await queries
        .updateTable('request_batches')
        .set({ sender_name: name })
        .where('request_id', '=', linkId)
        .where('sender_hash', '=', hash)
        .where('last_at', '>', Date.now() - REMOVE_HOURS * HOUR_MS)
        .execute();
    return closeBatches(queries, linkId, (open) => open.where('sender_hash', '=', hash));
  });
  return closed.reduce((sum, keys) => sum + keys.length, 0);
}

/** Closes what was sent through one link by those who have paused long enough at `now`. Returns the number of batches; 0: none was due. */
export async function finishPausedSenders(db: WritableDatabase, now: number): Promise<number> {
  const until = now - BATCH_PAUSE_MS;
  const due = await db.read
    .selectFrom('request_batches')
    .select('request_id')
    .where('closed_at', 'is', null)
    .where('last_at', '<=', until)
    .orderBy('last_at')
    .limit(1)
    .executeTakeFirst();
  if (!due) return 0;
  return (await db.write((queries) => closeBatches(queries, due.request_id, (open) => open.where('last_at', '<=', until)))).length;
}

type OpenBatches = UpdateQueryBuilder<Tables, 'request_batches', 'request_batches', RequestBatchRow>;

/** Closes some batches of a link in a unit of writing, with their events. Returns the keys of each. */
async function closeBatches(queries: Queries, linkId: string, choose: (batches: OpenBatches) => OpenBatches): Promise<string[][]> {
  // An upload that is being recorded must not get into a batch that is just being closed.
  const lock = queries.updateTable('request_links').set((row) => ({ file_count: row.ref('file_count') }));
  const link = await lock.where('id', '=', linkId).returningAll().executeTakeFirst();
  if (!link) return [];
  const open = queries.updateTable('request_batches').set({ closed_at: Date.now() }).where('request_id', '=', linkId);
  const closed = await choose(open.where('closed_at', 'is', null).returningAll()).execute();
  const keys = await keysOfBatches(
    queries,
    closed.map(({ id }) => id),
  );
  for (const batch of closed) {
    const sent = keys.get(batch.id);
    // Everything may have been removed again.
    if (!sent) continue;
    await enqueueEvent(queries, requestReceived(link, batch, sent));
    tellReceived(queries, link, batch.id);
  }
  return closed.map(({ id }) => keys.get(id) ?? []);
}

/** A sender has sent pictures through a request link. */
const requestReceived = (
  { id, album_id, owner_id }: RequestLinkRow,
  { sender_name }: RequestBatchRow,
  keys: readonly string[],
): WebhookEvent => ({ type: 'request.received', data: { id, album_id, owner_id, from: sender_name, keys } });
