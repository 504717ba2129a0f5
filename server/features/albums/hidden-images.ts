import { sql } from 'kysely';
import type { albumHidden } from '#api/albums/albums.ts';
import type { RouteData } from '#api/contract.ts';
import type { Queries } from '#server/platform/db/database.ts';

type Counts = RouteData<typeof albumHidden>;

// A literal condition, identical to that of the index `album_images_hidden`: otherwise the database couldn't use the index.
const HIDDEN = sql<boolean>`state not in (0, 1)`;

/** The first reason that applies, in the order of the access decision. */
const REASON = sql<keyof Counts>`case
  when visibility = 'private' then 'private'
  when trash_reason = 'expired' then 'expired'
  when password_hash is not null then 'password_protected'
  else 'view_limited' end`;

/** Counts the pictures of an album that its visitors don't see, but its owner does, by reason, without reading those that visitors see. */
export async function countHidden(queries: Queries, albumId: string, ownerId: number): Promise<Counts> {
  const rows = await hiddenQuery(queries, albumId, ownerId).execute();
  const counts: Counts = { private: 0, expired: 0, password_protected: 0, view_limited: 0 };
  for (const { reason, count } of rows) counts[reason] = count;
  return counts;
}

/** The query behind the counts. */
export const hiddenQuery = (queries: Queries, albumId: string, ownerId: number) =>
  queries
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .select(({ fn }) => [REASON.as('reason'), fn.countAll<number>().as('count')])
    .where('album_images.album_id', '=', albumId)
    .where(HIDDEN)
    .where('emptied_at', 'is', null)
    .where((row) => row.or([row('deleted_at', 'is', null), row('trash_reason', '=', 'expired')]))
    // Of other users' pictures, those that only visitors don't see.
    .where(sql<boolean>`(coalesce(owner_id, 0) = ${ownerId} or (password_hash is null and max_views = 0 and deleted_at is null))`)
    .groupBy('reason');
