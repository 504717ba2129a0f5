import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import { decodeCursor, keysetQuery, type Order, type Page, type PageRequest, pageOf } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

/** A visitor of an album. */
export interface Visitor {
  /** The owner or an admin, who also sees private and protected pictures. */
  trusted: boolean;
  /** The few protected pictures of this album that the visitor has unlocked one by one. */
  unlocked: readonly ImageRow[];
}

// Literal conditions, identical to those of the index `images_open_in_album`: otherwise SQLite couldn't use the index.
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

/** The total number of pictures in {@link listOpenImages}. */
export async function countOpenImages(queries: Queries, albumId: string, visitor: Visitor): Promise<number> {
  const { count } = await openImages(queries, albumId, visitor)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count + visitor.unlocked.length;
}

// As the index `images_limited_in_album` has it.
const LIMITED = sql<boolean>`deleted_at is null and emptied_at is null and max_views > 0`;
const LIMITED_TO_ALL = sql<boolean>`(${LIMITED} and visibility = 'public' and password_hash is null and limited_views < max_views)`;

/** The number of an album's pictures that a visitor could open on their own, but that lists leave out because of their view limit. */
export async function countLimitedImages(queries: Queries, albumId: string, { trusted }: Pick<Visitor, 'trusted'>): Promise<number> {
  const { count } = await queries
    .selectFrom('images')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('album_id', '=', albumId)
    .where(trusted ? LIMITED : LIMITED_TO_ALL)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', Date.now())]))
    .executeTakeFirstOrThrow();
  return count;
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
