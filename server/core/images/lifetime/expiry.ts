import { DAY_MS } from '#api/durations.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import { removeFromAlbums } from '#server/core/images/album-entries.ts';
import { imageExpired } from '#server/core/images/events.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { freeBytes, purgeImages } from './purge.ts';

/** How long links to an expired picture whose bytes are deleted respond with 410 before they respond with 404. */
const EXPIRED_RETENTION_DAYS = 30;
/** Rows per commit, so that other writes run in between. */
const BATCH = 200;

/**
 * Moves the images that have expired at `now` to their owners' trash, or releases their bytes where there is no trash: for
 * guests, and where the account or its group deletes expired pictures at once. Handles one batch, and returns the number of images; 0: there are no more.
 */
export async function expireImages(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    const rows = await dueQuery(queries, now).limit(BATCH).execute();
    if (rows.length === 0) return 0;
    const keepers = await ownersWithTrash(queries, rows);
    const keeps = ({ owner_id }: ImageRow) => owner_id !== null && keepers.has(owner_id);
    await trashExpired(queries, rows.filter(keeps), now);
    await emptyImages(
      queries,
      rows.filter((row) => !keeps(row)),
      now,
    );
    await enqueueEvents(queries, rows.map(imageExpired));
    return rows.length;
  });
}

/** Does what {@link expireImages} has yet to do, so that a user's trash is complete at any moment. */
export async function expireDue(db: Database, now: number): Promise<void> {
  while (await dueQuery(db.read, now).limit(1).executeTakeFirst()) await expireImages(db.as('job'), now);
}

const dueQuery = (queries: Queries, now: number) =>
  queries
    .selectFrom('images')
    .selectAll()
    .where('expires_at', 'is not', null)
    .where('expires_at', '<=', now)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null);

async function ownersWithTrash(queries: Queries, rows: readonly ImageRow[]): Promise<Set<number>> {
  const owners = [...new Set(rows.flatMap(({ owner_id }) => owner_id ?? []))];
  if (owners.length === 0) return new Set();
  const users = await queries
    .selectFrom('users')
    .innerJoin('groups', 'groups.id', 'users.group_id')
    .select(['users.id', 'users.preferences', 'groups.delete_expired'])
    .where('users.id', 'in', owners)
    .execute();
  return new Set(users.filter((user) => !deletesExpired(user.delete_expired === 1, user)).map(({ id }) => id));
}

/** Whether a user's expired images are deleted at once: an admin decides for the group, or the user for themselves. */
function deletesExpired(forGroup: boolean, user: Pick<UserRow, 'preferences'>): boolean {
  return forGroup || preferencesOf(user).delete_expired;
}

async function trashExpired(queries: Queries, rows: readonly ImageRow[], now: number): Promise<void> {
  if (rows.length === 0) return;
  await queries
    .updateTable('images')
    .set({ deleted_at: now, trash_reason: 'expired', updated_at: now })
    .where('id', 'in', ids(rows))
    .execute();
}

/** Releases the bytes of expired images, and takes them out of trash and albums; their rows stay, and their links respond with 410. */
export async function emptyImages(queries: Queries, rows: readonly ImageRow[], now: number): Promise<void> {
  if (rows.length === 0) return;
  await queries
    .updateTable('images')
    .set({ emptied_at: now, deleted_at: null, trash_reason: null, trash_batch: null, updated_at: now })
    .where('id', 'in', ids(rows))
    .execute();
  await removeFromAlbums(queries, ids(rows));
  tellImages(queries, 'image.deleted', rows);
  await freeBytes(queries, rows, now);
}

const ids = (rows: readonly ImageRow[]) => rows.map(({ id }) => id);

/** Removes the rows of images emptied 30 days ago: their links then respond with 404. One batch, like {@link expireImages}. */
export async function forgetExpired(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    const rows = await queries
      .selectFrom('images')
      .selectAll()
      .where('emptied_at', 'is not', null)
      .where('emptied_at', '<=', now - EXPIRED_RETENTION_DAYS * DAY_MS)
      .limit(BATCH)
      .execute();
    await purgeImages(queries, rows, now);
    return rows.length;
  });
}
