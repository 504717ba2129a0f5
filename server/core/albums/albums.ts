import { RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

const ID = /^[0-9A-Za-z]{10}$/;

/** An album by its id, which may be anything that a client has sent. */
export async function findAlbum(queries: Queries, id: string): Promise<AlbumRow | undefined> {
  return ID.test(id) ? queries.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
}

/** The same, if it is this user's. */
export async function findOwnAlbum(queries: Queries, ownerId: number, id: string): Promise<AlbumRow | undefined> {
  if (!ID.test(id)) return undefined;
  return queries.selectFrom('albums').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();
}

/** @throws RequestError `album_not_found`, also for another user's album */
export async function requireOwnAlbum(queries: Queries, ownerId: number | undefined, id: string): Promise<void> {
  if (ownerId !== undefined && (await findOwnAlbum(queries, ownerId, id))) return;
  throw new RequestError('album_not_found', 'This album doesn’t exist. Choose another one, or create it first.', { field: 'album_id' });
}
