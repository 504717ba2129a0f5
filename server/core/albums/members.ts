import { type RawBuilder, sql } from 'kysely';
import type { MEMBER_ROLES } from '#api/constants.ts';
import { removeEntries } from '#server/core/images/album-entries.ts';
import { tellMembers } from '#server/core/journal/changes.ts';
import { ForbiddenError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { ALBUM_GONE, ALBUM_ID } from './albums.ts';

export type MemberRole = (typeof MEMBER_ROLES)[number];
/** What a user is to an album. */
export type AlbumRole = MemberRole | 'owner';

/** What each role may do, besides what those before it may. */
const RANKS: Record<AlbumRole, number> = { viewer: 0, contributor: 1, manager: 2, owner: 3 };

export const isAtLeast = (role: AlbumRole, least: AlbumRole): boolean => RANKS[role] >= RANKS[least];

/** An album that is a user's own or shared with them. */
export interface JoinedAlbum extends AlbumRow {
  role: AlbumRole;
}

const roleOf = (userId: number) => sql<AlbumRole>`case when albums.owner_id = ${userId} then 'owner' else album_members.role end`;

/** The albums that are a user's own or shared with them, with the user's role. */
export function joinedAlbums(queries: Queries, userId: number) {
  return queries
    .selectFrom('albums')
    .leftJoin('album_members', (join) => join.onRef('album_members.album_id', '=', 'albums.id').on('album_members.user_id', '=', userId))
    .selectAll('albums')
    .select(roleOf(userId).as('role'))
    .where((row) => row.or([row('albums.owner_id', '=', userId), row('album_members.user_id', '=', userId)]));
}

/** One of them, by an id that may be anything that a client has sent. */
export async function findJoinedAlbum(queries: Queries, userId: number, id: string): Promise<JoinedAlbum | undefined> {
  return ALBUM_ID.test(id) ? joinedAlbums(queries, userId).where('albums.id', '=', id).executeTakeFirst() : undefined;
}

/** Those of some ids. */
export async function findJoinedAlbums(queries: Queries, userId: number, ids: readonly string[]): Promise<Map<string, JoinedAlbum>> {
  const valid = ids.filter((id) => ALBUM_ID.test(id));
  if (valid.length === 0) return new Map();
  const rows = await joinedAlbums(queries, userId).where('albums.id', 'in', valid).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those of some albums into which a user may put pictures. */
export async function findAddableAlbums(queries: Queries, userId: number, ids: readonly string[]): Promise<Map<string, JoinedAlbum>> {
  const albums = await findJoinedAlbums(queries, userId, ids);
  return new Map([...albums].filter(([, { role }]) => isAtLeast(role, 'contributor')));
}

/** @throws RequestError `album_not_found` for an album into which this user may not put pictures */
export async function requireAddableAlbum(queries: Queries, userId: number | undefined, id: string): Promise<JoinedAlbum> {
  const albums = await requireAddableAlbums(queries, userId, [id], 'album_id');
  return albums.get(id) as JoinedAlbum;
}

/** @throws RequestError `album_not_found` if this user may not put pictures into one of them */
export async function requireAddableAlbums(
  queries: Queries,
  userId: number | undefined,
  ids: readonly string[],
  field = 'albums',
): Promise<Map<string, JoinedAlbum>> {
  const found = userId === undefined ? new Map<string, JoinedAlbum>() : await findAddableAlbums(queries, userId, ids);
  if (ids.every((id) => found.has(id))) return found;
  throw new RequestError('album_not_found', 'This album doesn’t exist. Choose another one, or create it first.', { field });
}

/**
 * The album, for a user with at least this role.
 * @throws NotFoundError for those who don't take part in it, ForbiddenError for members with a lesser role
 */
export async function requireRole(queries: Queries, userId: number, id: string, least: AlbumRole): Promise<JoinedAlbum> {
  const album = requireFound(await findJoinedAlbum(queries, userId, id), ALBUM_GONE);
  if (isAtLeast(album.role, least)) return album;
  throw new ForbiddenError(
    least === 'owner'
      ? 'Only the owner of this album can do this.'
      : `Your role in this album doesn’t allow this. Ask its owner to make you a ${least}.`,
  );
}

/**
 * The users whose pictures an album may have: its owner, its members, and, while the pictures of another account move to its
 * owner, that account.
 * @param albumId a value, or a column of a query around it
 */
export const ownersIn = (albumId: RawBuilder<unknown>) => sql`(
  select owner_id from albums where id = ${albumId}
  union all select user_id from album_members where album_id = ${albumId}
  union all select account_deletions.user_id from account_deletions join albums on albums.owner_id = account_deletions.heir_id
    where albums.id = ${albumId})`;

/**
 * The condition that the entry of a row of `images` in an album is valid: entries of former members, of which a job removes the last ones, show nothing.
 * Not a plain comparison: for the images of an album, the database would read all images of its members instead.
 */
export const isValidIn = (albumId: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(images.owner_id, 0) in ${ownersIn(sql`${albumId}`)}`;

/** Whether an image is in an album that is shared with a user, or is theirs: it then opens for them even if it is private. */
export async function isSharedWith(
  queries: Queries,
  { id, owner_id }: Pick<ImageRow, 'id' | 'owner_id'>,
  userId: number,
): Promise<boolean> {
  const album = sql.ref('album_images.album_id');
  const row = await queries
    .selectFrom('album_images')
    .select('image_id')
    .where('image_id', '=', id)
    .where(
      sql<boolean>`${userId} in (select owner_id from albums where id = ${album} union all select user_id from album_members where album_id = ${album})`,
    )
    .where(sql<boolean>`${owner_id} in ${ownersIn(album)}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes those of a user's images from albums that don't belong there any more, in a unit of writing, and returns where they were. */
export async function removeVoidEntries(
  queries: Queries,
  ownerId: number,
  imageIds: readonly number[],
): Promise<{ image_id: number; album_id: string }[]> {
  if (imageIds.length === 0) return [];
  const entries = await queries
    .selectFrom('album_images')
    .select(['image_id', 'album_id'])
    .where('image_id', 'in', imageIds)
    .where(sql<boolean>`${ownerId} not in ${ownersIn(sql.ref('album_images.album_id'))}`)
    .execute();
  await removeEntries(queries, entries);
  return entries;
}

/** Tells the members of albums that these are about to be deleted, in the unit that deletes them. */
export async function tellOfDeletion(queries: Queries, albumIds: readonly string[]): Promise<void> {
  if (albumIds.length === 0) return;
  tellMembers(queries, await queries.selectFrom('album_members').selectAll().where('album_id', 'in', albumIds).execute(), { left: true });
}
