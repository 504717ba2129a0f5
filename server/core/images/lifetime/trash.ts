import { TRASH_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { emptyImages } from './expiry.ts';
import { purgeImages } from './purge.ts';

/** Rows per commit when a whole trash is emptied, so that other writes run in between. */
const PURGE_BATCH = 200;

/** When an image in the trash is deleted permanently, in milliseconds since 1970. */
export const purgeTime = (deletedAt: number) => deletedAt + TRASH_DAYS * DAY_MS;

const LATEST_FIRST: Order = { direction: 'desc', columns: { deleted_at: 'number', id: 'number' } };

/** The images in a user's trash that can be restored, latest first. */
export function listOwnTrash(db: Database, ownerId: number, page: PageRequest): Promise<Page<ImageRow>> {
  const query = db.read
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null);
  return keysetPage(query, LATEST_FIRST, page);
}

/** A mark for what one action changes, by which it can be undone or restored as a whole. */
export const newUndo = () => randomKey(22);

/** Deletions that the trash offers to restore as a whole. */
const MAX_BATCHES = 20;

/** The latest deletions of several of a user's images at once, as far as the trash still has them. */
export function listTrashBatches({ read }: Database, ownerId: number) {
  return read
    .selectFrom('images')
    .select((row) => [
      row.ref('trash_batch').$notNull().as('trash_batch'),
      row.fn.countAll<number>().as('count'),
      row.fn.max('deleted_at').$notNull().as('deleted_at'),
    ])
    .where('owner_id', '=', ownerId)
    .where('trash_batch', 'is not', null)
    .groupBy('trash_batch')
    .having((row) => row.fn.countAll(), '>', 1)
    .orderBy('deleted_at', 'desc')
    .limit(MAX_BATCHES)
    .execute();
}

/** Purges one batch of what was put into the trash until `until`, by one user or by all. Returns the number of images; 0: nothing is left. */
export function purgeTrashed(db: WritableDatabase, until: number, ownerId?: number): Promise<number> {
  return db.write(async (queries) => {
    let query = queries.selectFrom('images').selectAll().where('deleted_at', 'is not', null).where('deleted_at', '<=', until);
    if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
    const rows = await query.limit(PURGE_BATCH).execute();
    await purgeImages(queries, rows, Date.now());
    return rows.length;
  });
}

/**
 * Handles one batch of images whose time in the trash is over at `now`: deleted ones are purged, expired ones lose their
 * bytes. Returns their number; 0: nothing is left.
 */
export function endTrashPeriod(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    const rows = await queries
      .selectFrom('images')
      .selectAll()
      .where('deleted_at', 'is not', null)
      .where('deleted_at', '<=', now - TRASH_DAYS * DAY_MS)
      .limit(PURGE_BATCH)
      .execute();
    const hasExpired = ({ trash_reason }: ImageRow) => trash_reason === 'expired';
    await emptyImages(queries, rows.filter(hasExpired), now);
    await purgeImages(
      queries,
      rows.filter((row) => !hasExpired(row)),
      now,
    );
    return rows.length;
  });
}

/** Purges a user's whole trash and returns the number of images. */
export async function emptyOwnTrash(db: WritableDatabase, ownerId: number): Promise<number> {
  const until = Date.now();
  let purged = 0;
  for (;;) {
    const count = await purgeTrashed(db, until, ownerId);
    if (count === 0) return purged;
    purged += count;
  }
}

/** Counts images that can be restored from the trash; it needs only indices. */
export const inTrash = (queries: Queries) =>
  queries
    .selectFrom('images')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null);

/** The number of images in a user's trash. */
export async function countTrash(queries: Queries, ownerId: number): Promise<number> {
  return (await inTrash(queries).where('owner_id', '=', ownerId).executeTakeFirstOrThrow()).count;
}
