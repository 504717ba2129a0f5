import { sql } from 'kysely';
import type { albumHidden } from '#api/albums/albums.ts';
import type { RouteData } from '#api/contract.ts';
import type { Queries } from '#server/platform/db/database.ts';

type Counts = RouteData<typeof albumHidden>;

// Literal conditions, identical to those of the index `images_hidden_in_album`: otherwise the database couldn't use the index.
const HIDDEN = sql<boolean>`(visibility = 'private' or password_hash is not null or max_views > 0 or trash_reason = 'expired')`;

/** The first reason that applies, in the order of the access decision. */
const REASON = sql<keyof Counts>`case
  when visibility = 'private' then 'private'
  when trash_reason = 'expired' then 'expired'
  when password_hash is not null then 'password_protected'
  else 'view_limited' end`;

/** Counts the pictures of an album that its visitors don't see, by reason, without reading those that they see. */
export async function countHidden(queries: Queries, albumId: string): Promise<Counts> {
  const rows = await hiddenQuery(queries, albumId).execute();
  const counts: Counts = { private: 0, expired: 0, password_protected: 0, view_limited: 0 };
  for (const { reason, count } of rows) counts[reason] = count;
  return counts;
}

/** The query behind the counts. */
export const hiddenQuery = (queries: Queries, albumId: string) =>
  queries
    .selectFrom('images')
    .select(({ fn }) => [REASON.as('reason'), fn.countAll<number>().as('count')])
    .where('album_id', '=', albumId)
    .where(HIDDEN)
    .where('emptied_at', 'is', null)
    .where((row) => row.or([row('deleted_at', 'is', null), row('trash_reason', '=', 'expired')]))
    .groupBy('reason');
