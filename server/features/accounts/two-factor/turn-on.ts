import { hasSecondFactor } from '#server/core/accounts/passkeys.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { enableTwoFactor } from '#server/core/accounts/two-factor.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/**
 * Turns the second factor of an account on, ends its sessions, which may be stolen, and returns its recovery codes.
 * @param session the session that continues; without one, the account must not have a second factor yet
 * @throws UnauthorizedError when it has one
 */
export function turnOn(
  db: Database,
  secrets: Secrets,
  { id, username }: UserRow,
  accepted: { secret: string; step: number },
  origin: AuditOrigin,
  session?: number,
): Promise<string[]> {
  return db.write(async (queries) => {
    if (session === undefined && (await hasSecondFactor(queries, id)))
      throw new UnauthorizedError('The account already has a second factor. Use it to sign in.');
    await recordAudit(queries, { ...origin, actorId: id, actorName: username }, { action: 'user.two_factor_enabled', target: username });
    await endSessions(queries, id, session);
    return enableTwoFactor(queries, secrets, id, accepted);
  });
}
