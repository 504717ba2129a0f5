import type { Logger } from 'pino';
import { albumUpdated, enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { removeVoidEntries, tellOfDeletion } from '#server/core/albums/members.ts';
import { removeEntries } from '#server/core/images/album-entries.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { tellProgress } from '#server/core/journal/changes.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { AccountDeletionRow } from '#server/platform/db/schema/accounts.ts';
import { type Attempts, createAttempts } from '#server/platform/jobs/attempts.ts';
import { moveAlbums, moveImages } from './move.ts';

/** Rows per commit, so that other writes run in between. */
const CHUNK = 200;

interface DeletionContext {
  db: WritableDatabase;
  log: Logger;
}

/** Of the next steps of accounts that are being deleted. */
export const deletionAttempts = (log: Pick<Logger, 'error'>, now?: () => number): Attempts<number> =>
  createAttempts(log, 'a step of deleting an account failed; it will be tried again', now);

/**
 * Takes one step towards deleting each account that is being deleted, unless it waits for its trash to be emptied. What it commits is complete,
 * so it may be interrupted at any point. An error is logged, and doesn't hold up other accounts;
 * the account's next step waits, longer after each failure.
 * Returns the number of changes; 0 when there is nothing left to do for now.
 */
export async function continueDeletions(
  { db, log }: DeletionContext,
  now: number,
  attempts: Attempts<number> = deletionAttempts(log),
): Promise<number> {
  const resting = new Set(attempts.resting());
  let total = 0;
  for (const deletion of await dueDeletions(db.read)) {
    if (resting.has(deletion.user_id)) continue;
    const step = await attempts.run(deletion.user_id, () => db.write((queries) => takeStep(queries, deletion, now)));
    total += step?.result ?? 0;
  }
  return total;
}

/** Those with something to do: not those whose images are all in their trash, where they stay for up to 30 days. */
function dueDeletions(queries: Queries): Promise<AccountDeletionRow[]> {
  return queries
    .selectFrom('account_deletions')
    .selectAll()
    .where(({ or, eb, not, exists, selectFrom }) => {
      const images = selectFrom('images').select('id').whereRef('owner_id', '=', 'account_deletions.user_id');
      return or([eb('heir_id', 'is not', null), exists(images.where('deleted_at', 'is', null)), not(exists(images))]);
    })
    .orderBy('user_id')
    .execute();
}

/** Returns the number of changes; 0 when there is nothing to do at the moment. */
async function takeStep(queries: Queries, deletion: AccountDeletionRow, now: number): Promise<number> {
  const { user_id: from, heir_id: to } = deletion;
  const changed = to === null ? await emptyLibrary(queries, from, now) : await moveLibrary(queries, { from, to });
  tellProgress(queries, 'deletion');
  return changed > 0 ? changed : removeAccount(queries, from);
}

async function moveLibrary(queries: Queries, accounts: { from: number; to: number }): Promise<number> {
  const albums = await moveAlbums(queries, accounts, CHUNK);
  return albums > 0 ? albums : (await moveImages(queries, accounts, CHUNK)).length;
}

/** Moves images to the trash. Expired ones whose bytes are gone stay only for the sake of their links, and need no owner for it. */
async function emptyLibrary(queries: Queries, ownerId: number, now: number): Promise<number> {
  const outside = queries.selectFrom('images').select('id').where('owner_id', '=', ownerId).where('deleted_at', 'is', null).limit(CHUNK);
  const trashed = await queries
    .updateTable('images')
    .set({ deleted_at: now, trash_reason: null, trash_batch: null, updated_at: now })
    .where('id', 'in', outside.where('emptied_at', 'is', null))
    .returningAll()
    .execute();
  await enqueueEvents(queries, trashed.map(imageDeleted));
  await leaveAlbums(
    queries,
    ownerId,
    trashed.map(({ id }) => id),
  );
  if (trashed.length > 0) return trashed.length;
  const { numUpdatedRows } = await queries
    .updateTable('images')
    .set({ owner_id: null })
    .where('id', 'in', outside.where('emptied_at', 'is not', null))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Removes images from the albums that were shared with their owner. */
async function leaveAlbums(queries: Queries, ownerId: number, imageIds: readonly number[]) {
  const left = await removeVoidEntries(queries, ownerId, imageIds);
  await enqueueAlbumUpdates(
    queries,
    left.map(({ album_id }) => album_id),
  );
}

/** Removes an account that has no images left; 0 while it has some in the trash. */
async function removeAccount(queries: Queries, id: number): Promise<number> {
  if (await queries.selectFrom('images').select('id').where('owner_id', '=', id).limit(1).executeTakeFirst()) return 0;
  const undos = await forgetUndos(queries, id);
  if (undos > 0) return undos;
  const entries = await emptyAlbums(queries, id);
  if (entries > 0) return entries;
  const own = await queries.selectFrom('albums').select('id').where('owner_id', '=', id).execute();
  await tellOfDeletion(
    queries,
    own.map((album) => album.id),
  );
  const albums = await queries.deleteFrom('albums').where('owner_id', '=', id).returningAll().execute();
  await enqueueEvents(
    queries,
    albums.map((album) => albumUpdated(album, { deleted: true })),
  );
  await queries.deleteFrom('users').where('id', '=', id).execute();
  return 1;
}

/** Takes some pictures of their members out of an account's albums. */
async function emptyAlbums(queries: Queries, ownerId: number): Promise<number> {
  const entries = await queries
    .selectFrom('albums')
    .innerJoin('album_images', 'album_images.album_id', 'albums.id')
    .select(['album_id', 'image_id'])
    .where('albums.owner_id', '=', ownerId)
    .limit(CHUNK)
    .execute();
  await removeEntries(queries, entries);
  return entries.length;
}

/** Forgets some of what batches replaced: there may be as many rows as there were images. */
async function forgetUndos(queries: Queries, ownerId: number): Promise<number> {
  const batches = queries.selectFrom('batch_undos').select('id').where('owner_id', '=', ownerId);
  const some = queries.selectFrom('batch_undo_values').select('image_id').where('batch_id', 'in', batches).limit(CHUNK);
  const { numDeletedRows } = await queries
    .deleteFrom('batch_undo_values')
    .where('batch_id', 'in', batches)
    .where('image_id', 'in', some)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
