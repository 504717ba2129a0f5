import { hasSecondFactor } from '#server/core/accounts/passkeys.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { requireUnchanged } from '#server/core/accounts/sign-in.ts';
import { enableTwoFactor } from '#server/core/accounts/two-factor.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

interface TurnOn {
  /** The account as it was when the caller authenticated the user. */
  user: UserRow;
  accepted: { secret: string; step: number };
  origin: AuditOrigin;
  /** The session that continues; without one, the account must not have a second factor yet. */
  session?: number;
}

/**
 * Turns the second factor of an account on, ends its sessions, which may be stolen, and returns its recovery codes.
 * @throws UnauthorizedError when it has one, or when the password has been reset since
 */
export function turnOn(
  { db, secrets }: { db: WritableDatabase; secrets: Secrets },
  { user, accepted, origin, session }: TurnOn,
): Promise<string[]> {
  const { id, username } = user;
  return db.write(async (queries) => {
    await requireUnchanged(queries, user, 'password', 'code');
    if (session === undefined && (await hasSecondFactor(queries, id)))
      throw new UnauthorizedError('The account already has a second factor. Use it to sign in.');
    await recordAudit(queries, { ...origin, actorId: id, actorName: username }, { action: 'user.two_factor_enabled', target: username });
    await endSessions(queries, id, session);
    return enableTwoFactor(queries, secrets, id, accepted);
  });
}
