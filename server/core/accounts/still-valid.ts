import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { Member } from './actor.ts';

/** The user of a session or token that began a long response, and when it expires; undefined once it or the account has been ended. */
export async function userStillBehind(
  queries: Queries,
  { via, id, user }: Member,
): Promise<(Pick<UserRow, 'role'> & { until: number }) | undefined> {
  const credentials = await queries
    .selectFrom(via === 'session' ? 'sessions' : 'tokens')
    .select('expires_at')
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (!credentials) return undefined;
  const found = await queries
    .selectFrom('users')
    .select('role')
    .where('id', '=', user.id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return found && { ...found, until: credentials.expires_at ?? Number.POSITIVE_INFINITY };
}
