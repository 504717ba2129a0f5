import { sql } from 'kysely';
import type { AlbumGroup, AlbumMember, listMembers as listRoute, putMember as putRoute } from '#api/albums/members.ts';
import { MAX_ALBUM_MEMBERS } from '#api/constants.ts';
import type { RouteData, RouteParsed } from '#api/contract.ts';
import { presentPerson } from '#server/core/accounts/people.ts';
import { toKey } from '#server/core/accounts/users.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import {
  findJoinedAlbum,
  isAtLeast,
  type JoinedAlbum,
  type MemberRole,
  membershipsIn,
  releaseVoid,
  requireRole,
  type Share,
} from '#server/core/albums/members.ts';
import { tellMembers } from '#server/core/journal/changes.ts';
import type { Settings } from '#server/core/settings/settings.ts';
import { ForbiddenError, InvalidRequestError, NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { type Counter, requirePoint } from '#server/platform/limits/counter.ts';

/** Images per commit, so that other writes run in between. */
const BATCH = 500;

const NO_USER = 'No user of this server has this name. Enter it exactly.';
const NO_MEMBER = 'This user isn’t a member of the album. Reload the list.';
const NO_GROUP = 'There is no such group, or it isn’t listed. Choose another one.';

type Members = RouteData<typeof listRoute>;

/** The members of an album in the order in which they joined, and the groups with which it is shared. */
export async function listMembers(queries: Queries, album: JoinedAlbum): Promise<Members> {
  const rows = await membersOf(queries, album.id).orderBy('added_at').orderBy('users.id').execute();
  const groups = await groupsOf(queries, album).orderBy('added_at').orderBy('groups.id').execute();
  return { items: rows.map(presentMember), groups: groups.map(presentGroup), everyone: await presentEveryone(queries, album) };
}

const membersOf = (queries: Queries, albumId: string) =>
  queries
    .selectFrom('album_members')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'username', 'avatar', 'album_members.role', 'added_at'])
    .where('album_members.album_id', '=', albumId);

interface Granted {
  role: MemberRole;
  added_at: number;
}

function presentMember({ role, added_at, ...user }: Pick<UserRow, 'id' | 'username' | 'avatar'> & Granted): AlbumMember {
  return { ...presentPerson(user), role, added_at: toInstant(added_at) };
}

const groupsOf = (queries: Queries, album: Pick<JoinedAlbum, 'id' | 'owner_id'>) =>
  queries
    .selectFrom('album_groups')
    .innerJoin('groups', 'groups.id', 'album_groups.group_id')
    .select(['groups.id', 'groups.name', 'role', 'added_at'])
    .select(sql<number>`(select count(*) from users where users.group_id = groups.id and ${isActiveOther(album)})`.as('members'))
    .where('album_groups.album_id', '=', album.id);

/** Of a row of `users`: can sign in, and doesn't own the album. */
const isActiveOther = ({ owner_id }: Pick<JoinedAlbum, 'owner_id'>) =>
  sql<boolean>`(users.disabled_at is null and users.id <> ${owner_id})`;

function presentGroup({ id, name, members, role, added_at }: Granted & { id: number; name: string; members: number }): AlbumGroup {
  return { group: { id, name }, member_count: members, role, added_at: toInstant(added_at) };
}

async function presentEveryone(queries: Queries, album: JoinedAlbum): Promise<Members['everyone']> {
  const { everyone_role: role, everyone_at } = album;
  if (role === null) return null;
  const { count } = await queries
    .selectFrom('users')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(isActiveOther(album))
    .executeTakeFirstOrThrow();
  return { everyone: true, member_count: count, role, added_at: toInstant(everyone_at ?? 0) };
}

/** An album, and the user who shares it. */
interface Sharing {
  userId: number;
  albumId: string;
}

type Body = RouteParsed<typeof putRoute, 'body'>;

/**
 * Shares an album with a user, a group or everyone, or changes what they may do.
 * @param attempts counts how often a caller names users who aren't members yet, which reveals who has an account
 * @throws RequestError `not_found` for an unknown name or group, `forbidden`, `rate_limited`, or `conflict` when there are too many
 */
export async function putMember(
  { db, attempts, settings }: { db: WritableDatabase; attempts: Counter; settings: Settings },
  sharing: Sharing,
  { username, group_id, everyone, role }: Body,
): Promise<RouteData<typeof putRoute>> {
  if ([username, group_id, everyone].filter((one) => one !== undefined).length !== 1)
    throw new InvalidRequestError('Name one user, one group or everyone.', { field: 'username', problem: 'missing' });
  if (username !== undefined) return putUser(db, attempts, sharing, { username, role });
  return db.write(async (queries) => {
    const album = await requireMayGive(queries, sharing, role);
    return group_id === undefined
      ? putEveryone(queries, album, role)
      : putGroup(queries, album, { group_id, role }, settings.team_directory);
  });
}

/** The album, for those who may give this role in it. */
async function requireMayGive(queries: Queries, { userId, albumId }: Sharing, role: MemberRole): Promise<JoinedAlbum> {
  const album = await requireRole(queries, userId, albumId, 'manager');
  requireBelow(album, role);
  return album;
}

async function putUser(
  db: WritableDatabase,
  attempts: Counter,
  sharing: Sharing,
  { username, role }: { username: string; role: MemberRole },
): Promise<AlbumMember> {
  const { userId, albumId } = sharing;
  await requireMayGive(db.read, sharing, role);
  const known = await membersOf(db.read, albumId).where('username_key', '=', toKey(username)).executeTakeFirst();
  if (!known) await requirePoint(attempts, String(userId), 'You have named too many users.');
  return db.write(async (queries) => {
    // The caller's role may have changed meanwhile.
    const album = await requireMayGive(queries, sharing, role);
    const user = await findActiveUser(queries, username);
    if (user.id === album.owner_id)
      throw new InvalidRequestError('This user owns the album.', { field: 'username', problem: 'not_available' });
    const current = await membersOf(queries, albumId).where('users.id', '=', user.id).executeTakeFirst();
    if (current) requireBelow(album, current.role);
    else await requireRoom(queries, albumId);
    const added_at = current?.added_at ?? Date.now();
    await queries
      .insertInto('album_members')
      .values({ album_id: albumId, user_id: user.id, role, added_at })
      .onConflict((conflict) => conflict.columns(['album_id', 'user_id']).doUpdateSet({ role }))
      .execute();
    tellMembers(queries, [{ album_id: albumId, user_id: user.id }], { left: false });
    await enqueueAlbumUpdates(queries, [albumId]);
    return presentMember({ ...user, role, added_at });
  });
}

/** Groups that aren't listed don't exist for users, unless the album is shared with them already. */
async function putGroup(
  queries: Queries,
  album: JoinedAlbum,
  { group_id, role }: { group_id: number; role: MemberRole },
  isListed: boolean,
): Promise<AlbumGroup> {
  const current = await groupsOf(queries, album).where('groups.id', '=', group_id).executeTakeFirst();
  if (current) requireBelow(album, current.role);
  const known = queries.selectFrom('groups').select('id').where('id', '=', group_id).where('listed', '=', 1);
  if (!current && !(isListed && (await known.executeTakeFirst()))) throw new NotFoundError(NO_GROUP);
  await queries
    .insertInto('album_groups')
    .values({ album_id: album.id, group_id, role, added_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['album_id', 'group_id']).doUpdateSet({ role }))
    .execute();
  await tellAll(queries, album, { left: false });
  return presentGroup(await groupsOf(queries, album).where('groups.id', '=', group_id).executeTakeFirstOrThrow());
}

async function putEveryone(queries: Queries, album: JoinedAlbum, role: MemberRole) {
  if (album.everyone_role) requireBelow(album, album.everyone_role);
  const everyone = { everyone_role: role, everyone_at: album.everyone_at ?? Date.now() };
  await queries.updateTable('albums').set(everyone).where('id', '=', album.id).execute();
  await tellAll(queries, album, { left: false });
  return (await presentEveryone(queries, { ...album, ...everyone })) as NonNullable<Members['everyone']>;
}

/** Tells all members of an album that it has changed for them. */
async function tellAll(queries: Queries, { id }: Pick<JoinedAlbum, 'id'>, change: { left: boolean }) {
  tellMembers(queries, await membershipsIn(queries, id), change);
  await enqueueAlbumUpdates(queries, [id]);
}

/** Managers decide on viewers and contributors only. */
function requireBelow(album: JoinedAlbum, role: MemberRole) {
  if (album.role !== 'owner' && isAtLeast(role, 'manager'))
    throw new ForbiddenError('Only the owner of this album decides on its managers.');
}

async function findActiveUser(queries: Queries, username: string): Promise<Pick<UserRow, 'id' | 'username' | 'avatar'>> {
  const user = await queries
    .selectFrom('users')
    .select(['id', 'username', 'avatar'])
    .where('username_key', '=', toKey(username))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!user) throw new NotFoundError(NO_USER);
  return user;
}

async function requireRoom(queries: Queries, albumId: string) {
  const { count } = await queries
    .selectFrom('album_members')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_ALBUM_MEMBERS)
    throw new RequestError('conflict', `An album can have at most ${MAX_ALBUM_MEMBERS} members. Remove one first.`, {
      problem: 'too_many_members',
      limit: MAX_ALBUM_MEMBERS,
    });
}

/**
 * Stops sharing an album with a user, a group or everyone. The pictures of those who are no longer members leave it. The share ends last: a crash
 * in between leaves it with fewer pictures, and it can be ended again.
 * @throws NotFoundError, or ForbiddenError for those who may not end this share
 */
export async function endShare(db: WritableDatabase, sharing: Sharing, share: Share): Promise<void> {
  for (let isLast = false; !isLast; ) {
    await db.write(async (queries) => {
      const album = await requireMayEnd(queries, sharing, share);
      const { user } = share;
      const released = await releaseVoid(queries, album.id, { without: share, limit: BATCH, ...(user !== undefined && { ownerId: user }) });
      isLast = released < BATCH;
      if (!isLast) return;
      const members = user === undefined ? await membershipsIn(queries, album.id) : [{ album_id: album.id, user_id: user }];
      await removeShare(queries, album, share);
      tellMembers(queries, members, { left: true });
      await enqueueAlbumUpdates(queries, [album.id]);
    });
  }
}

async function removeShare(queries: Queries, { id }: JoinedAlbum, { user, group }: Share) {
  if (user !== undefined) await queries.deleteFrom('album_members').where('album_id', '=', id).where('user_id', '=', user).execute();
  else if (group !== undefined) await queries.deleteFrom('album_groups').where('album_id', '=', id).where('group_id', '=', group).execute();
  else await queries.updateTable('albums').set({ everyone_role: null, everyone_at: null }).where('id', '=', id).execute();
}

/** The album, if the caller may end this share of it: their own, or those of lesser members as its owner or a manager. */
async function requireMayEnd(queries: Queries, { userId, albumId }: Sharing, share: Share): Promise<JoinedAlbum> {
  const album = await requireRole(queries, userId, albumId, 'viewer');
  const isOwn = share.user === userId && album.role !== 'owner';
  if (!isOwn && !isAtLeast(album.role, 'manager'))
    throw new ForbiddenError('Only the owner and managers of this album can remove members.');
  const role = await roleIn(queries, album, share);
  if (role === undefined) throw await noShare(queries, { userId, albumId }, share);
  if (!isOwn) requireBelow(album, role);
  return album;
}

async function roleIn(queries: Queries, album: JoinedAlbum, { user, group, everyone }: Share): Promise<MemberRole | undefined> {
  if (everyone) return album.everyone_role ?? undefined;
  const found =
    user === undefined
      ? await groupsOf(queries, album).where('groups.id', '=', group).executeTakeFirst()
      : await membersOf(queries, album.id).where('users.id', '=', user).executeTakeFirst();
  return found?.role;
}

async function noShare(queries: Queries, { albumId }: Sharing, { user, everyone }: Share): Promise<RequestError> {
  if (everyone) return new NotFoundError('This album isn’t shared with everyone. Reload the list.');
  if (user === undefined) return new NotFoundError('This album isn’t shared with this group. Reload the list.');
  const joined = await findJoinedAlbum(queries, user, albumId);
  if (!joined || joined.role === 'owner') return new NotFoundError(NO_MEMBER);
  return new ForbiddenError('This user sees the album because it is shared with their group or with everyone. Stop sharing it with those.');
}
