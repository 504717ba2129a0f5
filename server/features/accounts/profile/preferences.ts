import type { Preferences } from '#api/auth/user.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import { requireOwnAlbum } from '#server/core/albums/albums.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/**
 * Changes some of a user's preferences and returns all of them.
 * @throws RequestError for another user's album, or a policy that the group doesn't allow
 */
export function changePreferences(db: Database, userId: number, changes: Partial<Preferences>): Promise<Preferences> {
  return db.write(async (queries) => {
    const user = await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
    await requireUsable(queries, user, changes);
    const next = { ...preferencesOf(user), ...changes };
    await queries
      .updateTable('users')
      .set({ preferences: JSON.stringify(next) })
      .where('id', '=', userId)
      .execute();
    return next;
  });
}

async function requireUsable(queries: Queries, user: UserRow, { album_id, policy_id }: Partial<Preferences>) {
  if (album_id) await requireOwnAlbum(queries, user.id, album_id);
  if (policy_id && !(await groupById(queries, user.group_id)).policy_ids.includes(policy_id))
    throw new RequestError('policy_not_allowed', 'Your group can’t use this storage policy.', { field: 'policy_id' });
}
