import type { UserAccess } from '#api/admin/users.ts';
import type { Member } from '#server/core/accounts/actor.ts';
import { resetSecondFactors } from '#server/core/accounts/passkeys.ts';
import { presentSession, presentToken } from '#server/core/accounts/present-access.ts';
import { endSessions, listSessions } from '#server/core/accounts/sessions.ts';
import { listTokens, revokeTokens } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { requireMayEndAccess, requireMayResetTwoFactor } from './access.ts';
import { requireUser } from './changes.ts';

/** How many of each an admin sees. */
const MAX_SHOWN = 100;

/** The newest sessions and tokens of an account. */
export async function readUserAccess({ db, opaque }: Pick<Context, 'db' | 'opaque'>, admin: Member, id: number): Promise<UserAccess> {
  await requireUser(db.read, id);
  const [sessions, tokens] = await Promise.all([listSessions(db, id, { limit: MAX_SHOWN }), listTokens(db, id, { limit: MAX_SHOWN })]);
  return {
    sessions: sessions.items.map((row) => presentSession(row, admin, opaque)),
    tokens: tokens.items.map((row) => presentToken(row, opaque)),
  };
}

/**
 * Ends all sessions of an account, except the admin's own, and revokes all its API tokens.
 * @throws ForbiddenError for the owner's account, except to the owner
 */
export function endUserAccess(
  db: WritableDatabase,
  admin: Member,
  id: number,
  origin: AuditOrigin,
): Promise<{ sessions: number; tokens: number }> {
  return db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayEndAccess(admin.user, user);
    const ended = { sessions: await endSessions(queries, id, admin.id), tokens: await revokeTokens(queries, id) };
    await recordAudit(queries, origin, { action: 'user.access_ended', target: user.username, details: ended });
    return ended;
  });
}

/**
 * Turns off an account's second factor and removes its passkeys, for a user who has lost it.
 * @throws ForbiddenError for the admin's own account and the owner's
 */
export async function resetUserTwoFactor(db: WritableDatabase, admin: Member, id: number, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const user = await requireUser(queries, id);
    requireMayResetTwoFactor(admin.user, user);
    if (await resetSecondFactors(queries, id))
      await recordAudit(queries, origin, { action: 'user.two_factor_reset', target: user.username });
  });
}
