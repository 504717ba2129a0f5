import { enqueueEvents, type WebhookEvent } from '#server/core/journal/events.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

/** An album was created, changed, moved in the order or deleted (`deleted: true`), or pictures were added or removed. */
export const albumUpdated = (album: Pick<AlbumRow, 'id' | 'name' | 'visibility' | 'owner_id'>, { deleted = false } = {}): WebhookEvent => ({
  type: 'album.updated',
  data: { id: album.id, name: album.name, visibility: album.visibility, owner_id: album.owner_id, deleted },
});

/** Enqueues events for albums whose pictures or order have changed, in the unit that changes them. */
export async function enqueueAlbumUpdates(queries: Queries, albumIds: Iterable<string | null>): Promise<void> {
  const ids = [...new Set(albumIds)].filter((id) => id !== null);
  if (ids.length === 0) return;
  const albums = await queries.selectFrom('albums').selectAll().where('id', 'in', ids).execute();
  await enqueueEvents(
    queries,
    albums.map((album) => albumUpdated(album)),
  );
}
