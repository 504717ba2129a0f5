import { type Expression, type RawBuilder, sql } from 'kysely';
import { MEMBER_ROLES } from '#api/constants.ts';
import { removeEntries, removeFromAlbums, touchImages } from '#server/core/images/album-entries.ts';
import { tellImages, tellMembers } from '#server/core/journal/changes.ts';
import { ForbiddenError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { ALBUM_GONE, ALBUM_ID } from './albums.ts';
import { enqueueAlbumUpdates } from './events.ts';

/** Ids in one statement. */
const IDS_AT_ONCE = 500;

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

/** Through what the album of a row of `albums` is shared with a user: by name, with their group, with everyone. Several may be true, and the highest role counts. */
const sharedWith = (userId: number) => sql<{ role: MemberRole; since: number }>`(
  select role, added_at as since from album_members where album_id = albums.id and user_id = ${userId}
  union all select role, added_at from album_groups where album_id = albums.id and group_id = (select group_id from users where id = ${userId})
  union all select albums.everyone_role, albums.everyone_at where albums.everyone_role is not null)`;

const BEST_FIRST = sql.raw(`case role ${MEMBER_ROLES.map((role) => `when '${role}' then ${-RANKS[role]}`).join(' ')} end`);

/** The albums that are a user's own or shared with them, with the user's role. */
export function joinedAlbums(queries: Queries, userId: number) {
  const shared = sharedWith(userId);
  return queries
    .selectFrom('albums')
    .selectAll('albums')
    .select(
      sql<AlbumRole>`case when albums.owner_id = ${userId} then 'owner' else (select role from ${shared} as shared order by ${BEST_FIRST} limit 1) end`.as(
        'role',
      ),
    )
    .where((row) => row.or([row('albums.owner_id', '=', userId), sql<boolean>`exists ${shared}`]));
}

/** Those that others share with a user, with the time since when. */
export function albumsOfOthers(queries: Queries, userId: number) {
  return joinedAlbums(queries, userId)
    .select(sql<number>`(select min(since) from ${sharedWith(userId)} as shared)`.as('joined_at'))
    .where('albums.owner_id', '<>', userId);
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

/** Of a row of `users`: accounts that are being deleted have left their group, though their row still names it. */
const NOT_DELETED = sql<boolean>`not exists (select 1 from account_deletions where user_id = users.id)`;

/** Lists the accounts whose pictures are moving to the owner of an album. */
const moving = (albumId: RawBuilder<unknown>) => sql`
  select account_deletions.user_id from account_deletions join albums on albums.owner_id = account_deletions.heir_id
    where albums.id = ${albumId}`;

/** Lists the owners and members of albums. @param albums a list of their ids, or a query for them */
export const peopleIn = (albums: Expression<unknown>) => sql<{ id: number }>`
  select owner_id as id from albums where id in (${albums})
  union all select user_id from album_members where album_id in (${albums})
  union all select users.id from album_groups join users on users.group_id = album_groups.group_id
    where album_groups.album_id in (${albums}) and ${NOT_DELETED}
  union all select users.id from albums cross join users
    where albums.id in (${albums}) and albums.everyone_role is not null and ${NOT_DELETED}`;

/**
 * The users whose pictures an album may have: its owner, its members, and, while the pictures of another account move to its
 * owner, that account.
 * @param albumId a value, or a column of a query around it
 */
export const ownersIn = (albumId: RawBuilder<unknown>) => sql`(${peopleIn(albumId)} union all ${moving(albumId)})`;

/** What an album is shared with: a user by name, a group, or every account. */
export type Share =
  | { user: number; group?: undefined; everyone?: undefined }
  | { user?: undefined; group: number; everyone?: undefined }
  | { user?: undefined; group?: undefined; everyone: true };

/** Whether a user, named by a value or a column, takes part in an album, or would without one of its shares. Unlike a look into {@link ownersIn}, it lists nobody. */
function takesPart(userId: RawBuilder<unknown>, albumId: RawBuilder<unknown>, without?: Share) {
  const isOther = (column: 'user_id' | 'group_id', id: number | undefined) =>
    id === undefined ? sql`` : sql`and ${sql.ref(column)} <> ${id}`;
  const forEveryone = without?.everyone
    ? sql`1 = 0`
    : sql`exists (select 1 from albums where id = ${albumId} and everyone_role is not null)`;
  return sql<boolean>`(
    exists (select 1 from albums where id = ${albumId} and owner_id = ${userId})
    or exists (select 1 from album_members where album_id = ${albumId} and user_id = ${userId} ${isOther('user_id', without?.user)})
    or exists (select 1 from users where id = ${userId} and ${NOT_DELETED} and (
      group_id in (select group_id from album_groups where album_id = ${albumId} ${isOther('group_id', without?.group)})
      or ${forEveryone})))`;
}

/** Whether an album may have a user's pictures: the same for one user as {@link ownersIn}. */
const belongsIn = (ownerId: RawBuilder<unknown>, albumId: RawBuilder<unknown>, without?: Share) =>
  sql<boolean>`(${takesPart(ownerId, albumId, without)} or ${ownerId} in (${moving(albumId)}))`;

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
  const [owner, user] = [sql`${owner_id}`, sql`${userId}`];
  const row = await queries
    .selectFrom('album_images')
    .select('image_id')
    .where('image_id', '=', id)
    .where(takesPart(user, album))
    .where(belongsIn(owner, album))
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
    .where(sql<boolean>`not ${belongsIn(sql`${ownerId}`, sql.ref('album_images.album_id'))}`)
    .execute();
  await removeEntries(queries, entries);
  return entries;
}

/**
 * Takes pictures out of an album that don't belong there any more, or won't once `without` has ended, in a unit of writing. Those in the trash, too.
 * @param ownerId only this user's
 * @returns their number
 */
export async function releaseVoid(
  queries: Queries,
  albumId: string,
  { ownerId, without, limit }: { ownerId?: number; without?: Share; limit?: number },
): Promise<number> {
  const released = await queries
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .select(['images.id', 'images.key', 'images.owner_id', 'deleted_at'])
    .where('album_images.album_id', '=', albumId)
    .$if(ownerId !== undefined, (query) => query.where('images.owner_id', '=', ownerId as number))
    .where(sql<boolean>`not ${belongsIn(sql.ref('images.owner_id'), sql`${albumId}`, without)}`)
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute();
  for (let from = 0; from < released.length; from += IDS_AT_ONCE) {
    const ids = released.slice(from, from + IDS_AT_ONCE).map(({ id }) => id);
    await removeFromAlbums(queries, ids, albumId);
    await touchImages(queries, ids, Date.now());
  }
  // What is in the trash has been told of as deleted.
  tellImages(
    queries,
    'image.changed',
    released.filter(({ deleted_at }) => deleted_at === null),
  );
  return released.length;
}

/** Tells the members of albums that these are about to be deleted, in the unit that deletes them. */
export async function tellOfDeletion(queries: Queries, albumIds: readonly string[]): Promise<void> {
  for (const id of albumIds) tellMembers(queries, await membershipsIn(queries, id), { left: true });
}

/** The members of an album without its owner, through whatever it is shared with them. */
export async function membershipsIn(queries: Queries, albumId: string): Promise<{ album_id: string; user_id: number }[]> {
  const { rows } = await peopleIn(sql`${albumId}`).execute(queries);
  const { owner_id } = await queries.selectFrom('albums').select('owner_id').where('id', '=', albumId).executeTakeFirstOrThrow();
  return rows.filter(({ id }) => id !== owner_id).map(({ id }) => ({ album_id: albumId, user_id: id }));
}

/**
 * Moves a user into another group, in a unit of writing. Albums that were shared with the former group end for them in the same unit, and
 * their pictures leave those.
 */
export async function moveToGroup(queries: Queries, { id, group_id }: Pick<UserRow, 'id' | 'group_id'>, groupId: number): Promise<void> {
  const albums = await queries.selectFrom('album_groups').selectAll().where('group_id', 'in', [group_id, groupId]).execute();
  await queries.updateTable('users').set({ group_id: groupId }).where('id', '=', id).execute();
  for (const { album_id } of albums)
    if ((await releaseVoid(queries, album_id, { ownerId: id })) > 0) await enqueueAlbumUpdates(queries, [album_id]);
  tellMembers(
    queries,
    albums.map(({ album_id }) => ({ album_id, user_id: id })),
    { left: true },
  );
}
