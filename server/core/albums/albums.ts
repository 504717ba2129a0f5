import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

/** An album by its id, if it is this user's. */
export function findOwnAlbum(queries: Queries, ownerId: number, id: string): Promise<AlbumRow | undefined> {
  return queries.selectFrom('albums').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();
}
