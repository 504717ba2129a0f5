import type { Database } from '../db/database.ts';
import { InvalidRequestError, NotFoundError } from '../http/errors.ts';

/**
 * Puts these albums of a user first, in this order; the others follow in the order they had.
 * @throws NotFoundError when one of them is not this user's
 */
export async function orderAlbums(db: Database, ownerId: number, ids: readonly string[]): Promise<void> {
  const first = new Set(ids);
  if (first.size < ids.length) throw new InvalidRequestError('An album may be named only once.', { field: 'ids' });
  await db.write(async (queries) => {
    const albums = await queries
      .selectFrom('albums')
      .select(['id', 'position'])
      .where('owner_id', '=', ownerId)
      .orderBy('position')
      .orderBy('id')
      .execute();
    const positions = new Map(albums.map(({ id, position }) => [id, position]));
    if (ids.some((id) => !positions.has(id))) throw new NotFoundError('There is no such album. It may have been deleted.');
    const ordered = [...ids, ...albums.map(({ id }) => id).filter((id) => !first.has(id))];
    for (const [position, id] of ordered.entries()) {
      if (positions.get(id) !== position) await queries.updateTable('albums').set({ position }).where('id', '=', id).execute();
    }
  });
}
