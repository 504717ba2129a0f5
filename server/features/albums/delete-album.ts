import { sql } from 'kysely';
import { albumUpdated } from '#server/core/albums/events.ts';
import { requireRole, tellOfDeletion } from '#server/core/albums/members.ts';
import { removeFromAlbums } from '#server/core/images/album-entries.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { newUndo } from '#server/core/images/lifetime/trash.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';

/** Images per commit, so that other writes run in between. */
const BATCH = 500;

/**
 * Deletes a user's own album; false when it has just been deleted. Its images stay, or those of its owner go to the trash.
 * The album itself is deleted last: a crash in between leaves it with fewer images, and it can be deleted again.
 * @throws NotFoundError, or ForbiddenError for members
 */
export async function deleteAlbum(db: WritableDatabase, ownerId: number, id: string, images: 'keep' | 'trash'): Promise<boolean> {
  await requireRole(db.read, ownerId, id, 'owner');
  const batch = newUndo();
  if (images === 'trash') while (await trashSome(db, { ownerId, id }, batch));
  while (await releaseSome(db, id));
  return db.write(async (queries) => {
    await tellOfDeletion(queries, [id]);
    const deletion = queries.deleteFrom('albums').where('id', '=', id).where('owner_id', '=', ownerId);
    const album = await deletion.returningAll().executeTakeFirst();
    if (album) await enqueueEvents(queries, [albumUpdated(album, { deleted: true })]);
    return album !== undefined;
  });
}

/** Moves a batch of the owner's images in an album to the trash; false when there are none left. */
function trashSome(db: WritableDatabase, { ownerId, id }: { ownerId: number; id: string }, trash_batch: string): Promise<boolean> {
  const now = Date.now();
  return db.write(async (queries) => {
    const batch = queries
      .selectFrom('album_images')
      .innerJoin('images', 'images.id', 'album_images.image_id')
      .select('images.id')
      .where('album_images.album_id', '=', id)
      .where('deleted_at', 'is', null)
      .where(sql`coalesce(owner_id, 0)`, '=', ownerId)
      .limit(BATCH);
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
function releaseSome(db: WritableDatabase, albumId: string): Promise<boolean> {
  return db.write(async (queries) => {
    const released = await queries
      .selectFrom('album_images')
      .innerJoin('images', 'images.id', 'album_images.image_id')
      .select(['images.id', 'images.key', 'owner_id', 'deleted_at'])
      .where('album_images.album_id', '=', albumId)
      .limit(BATCH)
      .execute();
    const imageIds = released.map(({ id }) => id);
    await removeFromAlbums(queries, imageIds, albumId);
    // What is in the trash has been told of as deleted.
    tellImages(
      queries,
      'image.changed',
      released.filter(({ deleted_at }) => deleted_at === null),
    );
    return released.length > 0;
  });
}
