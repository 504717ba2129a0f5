import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { firstIndex } from '#server/platform/base/binary-search.ts';
import { InvalidRequestError, NotFoundError } from '#server/platform/base/errors.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';

/**
 * Puts these albums of a user first, in this order; the others keep their order. Webhooks are notified of the moved ones.
 * @throws NotFoundError when one of them is not this user's
 */
export async function orderAlbums(db: WritableDatabase, ownerId: number, ids: readonly string[]): Promise<void> {
  const first = new Set(ids);
  if (first.size < ids.length) throw new InvalidRequestError('List each album only once.', { field: 'ids' });
  await db.write(async (queries) => {
    const albums = await queries
      .selectFrom('albums')
      .select(['id', 'position'])
      .where('owner_id', '=', ownerId)
      .orderBy('position')
      .orderBy('id')
      .execute();
    const positions = new Map(albums.map(({ id, position }) => [id, position]));
    if (ids.some((id) => !positions.has(id))) throw new NotFoundError('This album no longer exists. It may have been deleted.');
    const ordered = [...ids, ...albums.map(({ id }) => id).filter((id) => !first.has(id))];
    for (const [position, id] of ordered.entries()) {
      if (positions.get(id) !== position) await queries.updateTable('albums').set({ position }).where('id', '=', id).execute();
    }
    await enqueueAlbumUpdates(queries, movedAlbums([...positions.keys()], ordered));
  });
}

/**
 * The smallest set of albums whose moves turn the old order into the new one: after dragging one album it is that one,
 * though the positions of many have changed. They are those outside the longest subsequence that has kept its order.
 */
export function movedAlbums(before: readonly string[], after: readonly string[]): string[] {
  const places = new Map(before.map((id, place) => [id, place]));
  // At index n: the subsequence of length n + 1 whose last album came first in the old order.
  const ends: Row[] = [];
  for (const id of after) {
    const place = places.get(id) ?? 0;
    // Their places ascend.
    const length = firstIndex(ends, (end) => end.place > place);
    ends[length] = { id, place, rest: ends[length - 1] };
  }
  const kept = new Set<string>();
  for (let row = ends.at(-1); row; row = row.rest) kept.add(row.id);
  return after.filter((id) => !kept.has(id));
}

interface Row {
  id: string;
  place: number;
  rest: Row | undefined;
}
