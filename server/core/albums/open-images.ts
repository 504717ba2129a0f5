import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import { decodeCursor, keysetQuery, type Order, type Page, type PageRequest, pageOf } from '#server/platform/db/page.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { isValidIn, ownersIn } from './members.ts';

/** A visitor of an album. */
export interface Visitor {
  /** An admin, who also sees private and protected pictures. */
  trusted: boolean;
  /** The id of a member, or of the album's owner: they also see private pictures, and of their own the protected ones. */
  memberId?: number | undefined;
  /** The few protected pictures of this album that the visitor has unlocked one by one. */
  unlocked: readonly PlacedImage[];
}

/** A picture with its place in an album. */
export interface PlacedImage extends ImageRow {
  position: number;
}

// Literal conditions, the first identical to that of the index `album_images_open`: otherwise the database couldn't use the index. What an
// entry says of its image decides only which rows are read: the image itself is checked as well.
const SHOWN_TO_ALL = sql<boolean>`state = 1`;
const OPEN_TO_TRUSTED = sql<boolean>`(deleted_at is null and emptied_at is null and max_views = 0)`;
const OPEN_TO_ALL = sql<boolean>`(${OPEN_TO_TRUSTED} and visibility = 'public' and password_hash is null)`;

/** What a member sees of an image that {@link OPEN_TO_TRUSTED} selects. */
const openToMember = (memberId: number, unlocked: readonly PlacedImage[]) =>
  sql<boolean>`(password_hash is null or coalesce(owner_id, 0) = ${memberId} or ${isUnlocked(unlocked)})`;

const isUnlocked = (unlocked: readonly PlacedImage[]) =>
  unlocked.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`images.id in (${sql.join(unlocked.map(({ id }) => id))})`;

/** The images of an album that a visitor sees there, in no order. */
export function openImages(queries: Queries, albumId: string, { trusted, memberId, unlocked }: Visitor) {
  const isMember = memberId !== undefined;
  return queries
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .where('album_images.album_id', '=', albumId)
    .$if(!trusted && !isMember, (query) => query.where(SHOWN_TO_ALL))
    .where(trusted || isMember ? OPEN_TO_TRUSTED : OPEN_TO_ALL)
    .$if(!trusted && isMember, (query) => query.where(openToMember(memberId as number, unlocked)))
    .where(isValidIn(albumId))
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', Date.now())]));
}

/** By key where positions are equal, since a cursor must not reveal row numbers. */
const ALBUM_ORDER: Order = { direction: 'desc', columns: { position: 'number', image_key: 'string' } };

/** The pictures of an album that a visitor could open on their own, in its order. View-limited ones are left out. */
export async function listOpenImages(queries: Queries, albumId: string, visitor: Visitor, page: PageRequest): Promise<Page<PlacedImage>> {
  const query = openImages(queries, albumId, visitor).selectAll('images').select(['position', 'image_key']);
  const rows = await keysetQuery(query, ALBUM_ORDER, page).execute();
  return pageOf(
    visitor.unlocked.length > 0 && visitor.memberId === undefined ? mergeUnlocked(rows, visitor, page) : rows,
    ALBUM_ORDER,
    page.limit,
  );
}

type Listed = PlacedImage & { image_key: string };

function mergeUnlocked(rows: Listed[], { unlocked }: Visitor, { cursor }: PageRequest): Listed[] {
  const [position, image_key] = (decodeCursor(ALBUM_ORDER, cursor) ?? [Infinity, '']) as [number, string];
  const further = unlocked.map((row) => ({ ...row, image_key: row.key })).filter((row) => isAfter(row, { position, image_key }));
  return [...rows, ...further].sort((a, b) => (isAfter(b, a) ? -1 : 1));
}

type Placed = Pick<Listed, 'position' | 'image_key'>;

/** Whether `row` comes after `other` in an album. */
function isAfter(row: Placed, other: Placed): boolean {
  return row.position < other.position || (row.position === other.position && row.image_key < other.image_key);
}

/** Adds the places in an album to some images, and leaves out those that aren't in it. */
export async function placedIn(queries: Queries, albumId: string, images: readonly ImageRow[]): Promise<PlacedImage[]> {
  if (images.length === 0) return [];
  const entries = await queries
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .select(['image_id', 'position'])
    .where('album_images.album_id', '=', albumId)
    .where(isValidIn(albumId))
    .where(
      'image_id',
      'in',
      images.map(({ id }) => id),
    )
    .execute();
  const positions = new Map(entries.map(({ image_id, position }) => [image_id, position]));
  return images.flatMap((image) => {
    const position = positions.get(image.id);
    return position === undefined ? [] : [{ ...image, position }];
  });
}

// Of the index `images_to_expire`: those that expired since the job last ran, and still count.
const JUST_EXPIRED = sql<boolean>`expires_at is not null and deleted_at is null and emptied_at is null`;
const FOR_ALL = sql<boolean>`(visibility = 'public' and password_hash is null and (max_views = 0 or limited_views < max_views))`;

/** An album's pictures that a visitor could open on their own: those in {@link listOpenImages}, and those that lists leave out because of their view limit. */
export async function countOpenImages(
  queries: Queries,
  album: Pick<AlbumRow, 'id' | 'open_count' | 'trusted_count' | 'limited_open_count' | 'limited_count'>,
  { trusted, memberId, unlocked }: Visitor,
): Promise<{ open: number; limited: number }> {
  const isMember = !trusted && memberId !== undefined;
  const rows = await queries
    .selectFrom('images')
    .select((row) => ['max_views', row.fn.countAll<number>().as('count')])
    .where(JUST_EXPIRED)
    .where('expires_at', '<=', Date.now())
    // Not a join, which would lead to all pictures of the album.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('album_images').select('image_id').whereRef('image_id', '=', 'images.id').where('album_images.album_id', '=', album.id),
      ),
    )
    .$if(!trusted && !isMember, (query) => query.where(FOR_ALL))
    .groupBy('max_views')
    .execute();
  const expired = { open: 0, limited: 0 };
  for (const { max_views, count } of rows) expired[max_views > 0 ? 'limited' : 'open'] += count;
  if (isMember) {
    const closed = await countClosed(queries, album.id, { memberId, unlocked });
    return { open: album.trusted_count - expired.open - closed.open, limited: album.limited_count - expired.limited - closed.limited };
  }
  const [open, limited] = trusted ? [album.trusted_count, album.limited_count] : [album.open_count, album.limited_open_count];
  return { open: open - expired.open + unlocked.length, limited: limited - expired.limited };
}

/** An album's pictures of others that stay closed to a member, without and with a view limit. */
async function countClosed(
  queries: Queries,
  albumId: string,
  { memberId, unlocked }: { memberId: number; unlocked: readonly PlacedImage[] },
) {
  const rows = await conditionalImagesOfOthers(queries, albumId, memberId)
    .select((row) => [sql<0 | 1>`case when max_views > 0 then 1 else 0 end`.as('limited'), row.fn.countAll<number>().as('count')])
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', Date.now())]))
    .where(sql<boolean>`((password_hash is not null and not ${isUnlocked(unlocked)}) or (max_views > 0 and limited_views >= max_views))`)
    .groupBy('limited')
    .execute();
  const closed = { open: 0, limited: 0 };
  for (const { limited, count } of rows) closed[limited ? 'limited' : 'open'] += count;
  return closed;
}

/** Those pictures of an album that have a password or a view limit and aren't this user's. They are few, and an index leads to them. */
export function conditionalImagesOfOthers(queries: Queries, albumId: string, userId: number) {
  return (
    queries
      .selectFrom('images')
      // As literal as the condition of the index.
      .where(sql<boolean>`(password_hash is not null or max_views > 0)`)
      .where(sql<boolean>`owner_id in ${ownersIn(sql`${albumId}`)}`)
      .where('owner_id', '<>', userId)
      .where('deleted_at', 'is', null)
      .where('emptied_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('album_images').select('image_id').whereRef('image_id', '=', 'images.id').where('album_images.album_id', '=', albumId),
        ),
      )
  );
}

/** The chosen cover if this visitor could open it, otherwise the first picture that they could. */
export async function findOpenCover(
  queries: Queries,
  { id, cover_key }: { id: string; cover_key: string | null },
  visitor: Visitor,
): Promise<string | undefined> {
  if (cover_key !== null) {
    const chosen = await openImages(queries, id, visitor).select('images.key').where('images.key', '=', cover_key).executeTakeFirst();
    if (chosen || visitor.unlocked.some(({ key }) => key === cover_key)) return cover_key;
  }
  const { items } = await listOpenImages(queries, id, visitor, { limit: 1 });
  return items[0]?.key;
}
