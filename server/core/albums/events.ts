import { albumUpdated, enqueueEvents } from '#server/core/journal/events.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** Tells webhooks of albums that have changed by more than their own row, as part of the unit that changes them. */
export async function tellAlbums(queries: Queries, albumIds: Iterable<string | null>): Promise<void> {
  const ids = [...new Set(albumIds)].filter((id) => id !== null);
  if (ids.length === 0) return;
  const albums = await queries.selectFrom('albums').selectAll().where('id', 'in', ids).execute();
  await enqueueEvents(
    queries,
    albums.map((album) => albumUpdated(album)),
  );
}
