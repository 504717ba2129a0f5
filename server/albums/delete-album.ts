import type { Context } from '../context.ts';
import { albumUpdated, enqueueEvents, imageDeleted } from '../webhooks/events.ts';

/**
 * Deletes a user's own album; false when there is none of that id. Its pictures stay without an album, or go to the trash.
 */
export async function deleteAlbum(
  { db, imageIndex }: Pick<Context, 'db' | 'imageIndex'>,
  ownerId: number,
  id: string,
  images: 'keep' | 'trash',
): Promise<boolean> {
  const now = Date.now();
  const found = await db.write(async (queries) => {
    const album = await queries.selectFrom('albums').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();
    if (!album) return false;
    if (images === 'trash') {
      const trashed = await queries
        .updateTable('images')
        .set({ deleted_at: now, updated_at: now })
        .where('album_id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .execute();
      await enqueueEvents(queries, trashed.map(imageDeleted));
    }
    // The pictures' reference becomes null with the album.
    await queries.deleteFrom('albums').where('id', '=', id).execute();
    await enqueueEvents(queries, [albumUpdated(album, { deleted: true })]);
    return true;
  });
  if (found) imageIndex.clear();
  return found;
}
