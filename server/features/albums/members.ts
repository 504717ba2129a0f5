import type { AlbumMember } from '#api/albums/members.ts';
import { MAX_ALBUM_MEMBERS } from '#api/constants.ts';
import { avatarUrlOf } from '#server/core/accounts/avatars.ts';
import { toKey } from '#server/core/accounts/users.ts';
import { tellAlbums } from '#server/core/albums/events.ts';
import { findJoinedAlbum, isAtLeast, type JoinedAlbum, type MemberRole, requireRole } from '#server/core/albums/members.ts';
import { removeFromAlbums, touchImages } from '#server/core/images/album-entries.ts';
import { tellImages, tellMembers } from '#server/core/journal/changes.ts';
import { ForbiddenError, InvalidRequestError, NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { type Counter, requirePoint } from '#server/platform/limits/counter.ts';

/** Images per commit, so that other writes run in between. */
const BATCH = 500;

const NO_USER = 'No user of this server has this name. Enter it exactly.';
const NO_MEMBER = 'This user isn’t a member of the album. Reload the list.';

/** The members of an album in the order in which they joined. */
export async function listMembers(queries: Queries, albumId: string): Promise<AlbumMember[]> {
  const rows = await membersOf(queries, albumId).orderBy('added_at').orderBy('users.id').execute();
  return rows.map(presentMember);
}

const membersOf = (queries: Queries, albumId: string) =>
  queries
    .selectFrom('album_members')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'username', 'avatar', 'album_members.role', 'added_at'])
    .where('album_members.album_id', '=', albumId);

function presentMember({ role, added_at, ...user }: Pick<UserRow, 'id' | 'username' | 'avatar'> & { role: MemberRole; added_at: number }) {
  return { ...presentPerson(user), role, added_at: toInstant(added_at) };
}

export function presentPerson({ id, username, avatar }: Pick<UserRow, 'id' | 'username' | 'avatar'>) {
  return { id, username, avatar_url: avatarUrlOf({ id, avatar }) };
}

/**
 * Adds a member to an album, or changes a member's role.
 * @param attempts counts how often a caller names users who aren't members yet, which reveals who has an account
 * @throws RequestError `not_found` for an unknown name, `forbidden`, `rate_limited`, or `conflict` when there are too many
 */
export async function putMember(
  db: WritableDatabase,
  attempts: Counter,
  { userId, albumId }: { userId: number; albumId: string },
  { username, role }: { username: string; role: MemberRole },
): Promise<AlbumMember> {
  const album = await requireRole(db.read, userId, albumId, 'manager');
  requireBelow(album, role);
  const known = await membersOf(db.read, albumId).where('username_key', '=', toKey(username)).executeTakeFirst();
  if (!known) await requirePoint(attempts, String(userId), 'You have named too many users.');
  return db.write(async (queries) => {
    // The caller's role may have changed meanwhile.
    requireBelow(await requireRole(queries, userId, albumId, 'manager'), role);
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
    await tellAlbums(queries, [albumId]);
    return presentMember({ ...user, role, added_at });
  });
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
 * Removes a member from an album, and their pictures with them. The membership goes last: a crash in between leaves it with fewer pictures, and it can be
 * removed again.
 * @throws NotFoundError, or ForbiddenError for those who may not remove this member
 */
export async function removeMember(
  db: WritableDatabase,
  { userId, albumId }: { userId: number; albumId: string },
  memberId: number,
): Promise<void> {
  await requireMayRemove(db.read, { userId, albumId }, memberId);
  for (let isLast = false; !isLast; ) {
    await db.write(async (queries) => {
      await requireMayRemove(queries, { userId, albumId }, memberId);
      const released = await releaseSome(queries, albumId, memberId);
      isLast = released < BATCH;
      if (isLast) await endMembership(queries, albumId, memberId);
    });
  }
}

async function requireMayRemove(queries: Queries, { userId, albumId }: { userId: number; albumId: string }, memberId: number) {
  const album = await requireRole(queries, userId, albumId, 'viewer');
  const member = await findJoinedAlbum(queries, memberId, albumId);
  const isOwn = memberId === userId && album.role !== 'owner';
  if (!isOwn && !isAtLeast(album.role, 'manager'))
    throw new ForbiddenError('Only the owner and managers of this album can remove members.');
  if (!member || member.role === 'owner') throw new NotFoundError(NO_MEMBER);
  if (!isOwn) requireBelow(album, member.role);
}

async function endMembership(queries: Queries, albumId: string, memberId: number) {
  await queries.deleteFrom('album_members').where('album_id', '=', albumId).where('user_id', '=', memberId).execute();
  tellMembers(queries, [{ album_id: albumId, user_id: memberId }], { left: true });
  await tellAlbums(queries, [albumId]);
}

/** Takes a batch of a member's pictures out of an album, those in the trash too, and returns their number. */
async function releaseSome(queries: Queries, albumId: string, ownerId: number): Promise<number> {
  const released = await queries
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .select(['images.id', 'images.key', 'images.owner_id', 'deleted_at'])
    .where('album_images.album_id', '=', albumId)
    .where('images.owner_id', '=', ownerId)
    .limit(BATCH)
    .execute();
  const ids = released.map(({ id }) => id);
  await removeFromAlbums(queries, ids, albumId);
  await touchImages(queries, ids, Date.now());
  // What is in the trash has been told of as deleted.
  tellImages(
    queries,
    'image.changed',
    released.filter(({ deleted_at }) => deleted_at === null),
  );
  return released.length;
}
