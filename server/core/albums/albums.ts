import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

/** What an album's id looks like. */
export const ALBUM_ID = /^[0-9A-Za-z]{10}$/;

export const ALBUM_GONE = 'This album no longer exists. It may have been deleted.';

/** An album by its id, which may be anything that a client has sent. */
export async function findAlbum(queries: Queries, id: string): Promise<AlbumRow | undefined> {
  return ALBUM_ID.test(id) ? queries.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
}

/** What visitors read after an album's link has ended. */
export const ALBUM_EXPIRED = 'This album’s link has expired. Ask the person who sent it to you to share the album again.';

/** Whether an album's link has ended for its visitors. */
export const isAlbumExpired = ({ expires_at }: Pick<AlbumRow, 'expires_at'>, now: number) => expires_at !== null && expires_at <= now;
