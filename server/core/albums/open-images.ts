import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import { decodeCursor, keysetQuery, type Order, type Page, type PageRequest, pageOf } from '#server/platform/db/page.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';

/** A visitor of an album. */
export interface Visitor {
  /** The owner or an admin, who also sees private and protected pictures. */
  trusted: boolean;
  /** The few protected pictures of this album that the visitor has unlocked one by one. */
  unlocked: readonly ImageRow[];
}

// Literal conditions, identical to those of the index `images_open_in_album`: otherwise the database couldn't use the index.
const OPEN_TO_TRUSTED = sql<boolean>`deleted_at is null and emptied_at is null and max_views = 0`;
const OPEN_TO_ALL = sql<boolean>`(${OPEN_TO_TRUSTED} and visibility = 'public' and password_hash is null)`;

function openImages(queries: Queries, albumId: string, { trusted }: Visitor) {
  return queries
    .selectFrom('images')
    .where('album_id', '=', albumId)
    .where(trusted ? OPEN_TO_TRUSTED : OPEN_TO_ALL)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', Date.now())]));
}

/** By key where times are equal, since a cursor must not reveal row numbers. */
const NEWEST_FIRST: Order = { direction: 'desc', columns: { created_at: 'number', key: 'string' } };

/** The pictures of an album that a visitor could open on their own, newest first. View-limited ones are left out. */
export async function listOpenImages(queries: Queries, albumId: string, visitor: Visitor, page: PageRequest): Promise<Page<ImageRow>> {
  const rows = await keysetQuery(openImages(queries, albumId, visitor).selectAll(), NEWEST_FIRST, page).execute();
  return pageOf(visitor.unlocked.length > 0 ? mergeUnlocked(rows, visitor, page) : rows, NEWEST_FIRST, page.limit);
}

function mergeUnlocked(rows: ImageRow[], { unlocked }: Visitor, { cursor }: PageRequest): ImageRow[] {
  const [created_at, key] = (decodeCursor(NEWEST_FIRST, cursor) ?? [Infinity, '']) as [number, string];
  const further = unlocked.filter((row) => isAfter(row, { created_at, key }));
  return [...rows, ...further].sort((a, b) => (isAfter(b, a) ? -1 : 1));
}

type Placed = Pick<ImageRow, 'created_at' | 'key'>;

/** Whether `row` comes after `other` where the newest come first. */
function isAfter(row: Placed, other: Placed): boolean {
  return row.created_at < other.created_at || (row.created_at === other.created_at && row.key < other.key);
}

// Of the index `images_to_expire`: those that expired since the job last ran, and still count.
const JUST_EXPIRED = sql<boolean>`expires_at is not null and deleted_at is null and emptied_at is null`;
const FOR_ALL = sql<boolean>`(visibility = 'public' and password_hash is null and (max_views = 0 or limited_views < max_views))`;

/** An album's pictures that a visitor could open on their own: those in {@link listOpenImages}, and those that lists leave out because of their view limit. */
export async function countOpenImages(
  queries: Queries,
  album: Pick<AlbumRow, 'id' | 'open_count' | 'trusted_count' | 'limited_open_count' | 'limited_count'>,
  { trusted, unlocked }: Visitor,
): Promise<{ open: number; limited: number }> {
  const rows = await queries
    .selectFrom('images')
    .select((row) => ['max_views', row.fn.countAll<number>().as('count')])
    .where(JUST_EXPIRED)
    .where('expires_at', '<=', Date.now())
    // Not a plain comparison, which would lead to all pictures of the album.
    .where(sql`coalesce(album_id, '')`, '=', album.id)
    .$if(!trusted, (query) => query.where(FOR_ALL))
    .groupBy('max_views')
    .execute();
  const expired = { open: 0, limited: 0 };
  for (const { max_views, count } of rows) expired[max_views > 0 ? 'limited' : 'open'] += count;
  const [open, limited] = trusted ? [album.trusted_count, album.limited_count] : [album.open_count, album.limited_open_count];
  return { open: open - expired.open + unlocked.length, limited: limited - expired.limited };
}

/** The chosen cover if this visitor could open it, otherwise the newest picture that they could. */
export async function findOpenCover(
  queries: Queries,
  { id, cover_key }: { id: string; cover_key: string | null },
  visitor: Visitor,
): Promise<string | undefined> {
  if (cover_key !== null) {
    const chosen = await openImages(queries, id, visitor).select('key').where('key', '=', cover_key).executeTakeFirst();
    if (chosen || visitor.unlocked.some(({ key }) => key === cover_key)) return cover_key;
  }
  const { items } = await listOpenImages(queries, id, visitor, { limit: 1 });
  return items[0]?.key;
}
