import { DAY_MS } from '#api/durations.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Database } from '#server/platform/db/database.ts';
import { imageExpired } from './events.ts';
import { freeBytes, purgeImages } from './purge.ts';

/** How long links to an expired picture respond with 410 before they respond with 404. */
const GRAVESTONE_DAYS = 30;
/** Rows per commit, so that other writes run in between. */
const BATCH = 200;

/**
 * Releases the bytes of images that have expired at `now`; their rows stay, and their links respond with 410. Returns the keys
 * of one batch, which is empty when there are no more.
 */
export async function emptyExpired(db: Database, now: number): Promise<string[]> {
  return db.write(async (queries) => {
    const rows = await queries
      .selectFrom('images')
      .selectAll()
      .where('expires_at', 'is not', null)
      .where('expires_at', '<=', now)
      .where('emptied_at', 'is', null)
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return [];
    await queries
      .updateTable('images')
      .set({ emptied_at: now, updated_at: now })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    await freeBytes(queries, rows, now);
    await enqueueEvents(queries, rows.filter(({ deleted_at }) => deleted_at === null).map(imageExpired));
    return rows.map(({ key }) => key);
  });
}

/** Removes the rows of images emptied 30 days ago: their links then respond with 404. One batch, like {@link emptyExpired}. */
export async function forgetExpired(db: Database, now: number): Promise<string[]> {
  return db.write(async (queries) => {
    const rows = await queries
      .selectFrom('images')
      .selectAll()
      .where('emptied_at', 'is not', null)
      .where('emptied_at', '<=', now - GRAVESTONE_DAYS * DAY_MS)
      .limit(BATCH)
      .execute();
    await purgeImages(queries, rows, now);
    return rows.map(({ key }) => key);
  });
}
