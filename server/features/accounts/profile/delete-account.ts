import { RECENT_SIGN_IN_MINUTES } from '#api/constants.ts';
import { MINUTE_MS } from '#api/durations.ts';
import type { Member } from '#server/core/accounts/actor.ts';
import { requireOwnPassword } from '#server/core/accounts/own-password.ts';
import type { Context } from '#server/core/context.ts';
import { startDeletion } from '#server/core/deletion/start.ts';
import type { AuditOrigin } from '#server/core/journal/audit.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';

/**
 * Starts to delete the caller's account; its pictures go to its trash.
 * @throws RequestError `wrong_password`, `sign_in_again`, or like `startDeletion`
 */
export async function deleteOwnAccount(
  { db, imageIndex, passwordGuard }: Pick<Context, 'db' | 'imageIndex' | 'passwordGuard'>,
  member: Member,
  currentPassword: string | undefined,
  origin: AuditOrigin,
): Promise<void> {
  if (member.user.password_hash === null) await requireRecentSignIn(db, member);
  else await requireOwnPassword(passwordGuard, member, currentPassword);
  await db.write(async (queries) => {
    const user = await queries.selectFrom('users').selectAll().where('id', '=', member.user.id).executeTakeFirstOrThrow();
    await startDeletion(queries, user, null, origin);
  });
  imageIndex.clear();
}

/** Without a password, only a fresh session shows that its holder can still sign in. */
async function requireRecentSignIn({ read }: Database, { id }: Member) {
  const session = await read.selectFrom('sessions').select('created_at').where('id', '=', id).executeTakeFirst();
  const since = Date.now() - RECENT_SIGN_IN_MINUTES * MINUTE_MS;
  if (!session || session.created_at < since)
    throw new RequestError('sign_in_again', `Sign in again to confirm that it’s you, then retry within ${RECENT_SIGN_IN_MINUTES} minutes.`);
}
