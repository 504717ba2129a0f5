import { findOwnAlbum } from '#server/core/albums/albums.ts';
import { albumUpdated } from '#server/core/albums/events.ts';
import type { Context } from '#server/core/context.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { newUndo } from '#server/core/images/lifetime/trash.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Database } from '#server/platform/db/database.ts';

/** Images per commit, so that other writes run in between. */
const BATCH = 500;

/**
 * Deletes a user's own album; false when there is none with that id. Its images stay without an album, or go to the trash.
 * The album itself is deleted last: a crash in between leaves it with fewer images, and it can be deleted again.
 */
export async function deleteAlbum(
  { db, imageIndex }: Pick<Context, 'db' | 'imageIndex'>,
  ownerId: number,
  id: string,
  images: 'keep' | 'trash',
): Promise<boolean> {
  if (!(await findOwnAlbum(db.read, ownerId, id))) return false;
  try {
    const batch = newUndo();
    if (images === 'trash') while (await trashSome(db, id, batch));
    while (await releaseSome(db, id));
    return await db.write(async (queries) => {
      const album = await queries
        .deleteFrom('albums')
        .where('id', '=', id)
        .where('owner_id', '=', ownerId)
        .returningAll()
        .executeTakeFirst();
      if (album) await enqueueEvents(queries, [albumUpdated(album, { deleted: true })]);
      return album !== undefined;
    });
  } finally {
    // Also after a failure: the batches before it are committed.
    imageIndex.clear();
  }
}

/** Moves a batch of an album's images to the trash; false when there are none left. */
function trashSome(db: Database, albumId: string, trash_batch: string): Promise<boolean> {
  const now = Date.now();
  return db.write(async (queries) => {
    const batch = queries.selectFrom('images').select('id').where('album_id', '=', albumId).where('deleted_at', 'is', null).limit(BATCH);
    const trashed = await queries
      .updateTable('images')
      .set({ deleted_at: now, trash_batch, updated_at: now })
      .where('id', 'in', batch)
      .returningAll()
      .execute();
    await enqueueEvents(queries, trashed.map(imageDeleted));
    return trashed.length > 0;
  });
}

/** Removes a batch of images from an album; false when there are none left. */
function releaseSome(db: Database, albumId: string): Promise<boolean> {
  return db.write(async (queries) => {
    const batch = queries.selectFrom('images').select('id').where('album_id', '=', albumId).limit(BATCH);
    const released = await queries
      .updateTable('images')
      .set({ album_id: null })
      .where('id', 'in', batch)
      .returning(['key', 'owner_id'])
      .execute();
    tellImages(queries, 'image.changed', released);
    return released.length > 0;
  });
}
