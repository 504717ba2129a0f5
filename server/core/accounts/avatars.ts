import { createHash } from 'node:crypto';
import { API_PREFIX, AVATAR_SIDES } from '#api/constants.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/** The address of a user's avatar for signed-in users. It can't be guessed, and changes with the avatar. */
export function avatarUrlOf({ id, avatar }: Pick<UserRow, 'id' | 'avatar'>): string | null {
  return avatar === null ? null : `${API_PREFIX}/avatars/${id}?v=${avatar}`;
}

/**
 * Stores an avatar in place of the earlier one.
 * @param pictures in the order of {@link AVATAR_SIDES}
 * @returns its version
 */
export async function storeAvatar(queries: Queries, userId: number, pictures: readonly Uint8Array[]): Promise<string> {
  const hash = createHash('sha256').update(`${userId} `);
  for (const picture of pictures) hash.update(picture);
  const avatar = hash.digest('base64url').slice(0, 22);
  await removeAvatar(queries, userId);
  const rows = AVATAR_SIDES.map((side, index) => ({ user_id: userId, side, content: toText(pictures[index]) }));
  await queries.insertInto('avatars').values(rows).execute();
  await queries.updateTable('users').set({ avatar }).where('id', '=', userId).execute();
  return avatar;
}

const toText = (picture: Uint8Array = new Uint8Array()) => Buffer.from(picture).toString('base64');

export async function removeAvatar(queries: Queries, userId: number): Promise<void> {
  await queries.deleteFrom('avatars').where('user_id', '=', userId).execute();
  await queries.updateTable('users').set({ avatar: null }).where('id', '=', userId).execute();
}

/** The WebP of a version of an avatar; undefined if the user doesn't have that version. */
export async function readAvatar(
  queries: Queries,
  { id, version, side }: { id: number; version: string; side: number },
): Promise<Buffer | undefined> {
  const row = await queries
    .selectFrom('avatars')
    .innerJoin('users', 'users.id', 'avatars.user_id')
    .select('content')
    .where('users.id', '=', id)
    .where('users.avatar', '=', version)
    .where('side', '=', side)
    .executeTakeFirst();
  return row && Buffer.from(row.content, 'base64');
}
