import { hasSecondFactor } from '#server/core/accounts/passkeys.ts';
import { enableTwoFactor } from '#server/core/accounts/two-factor.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/**
 * Turns the second factor of an account on and returns its recovery codes.
 * @param when `first`: only if the account has none
 * @throws UnauthorizedError when it has one
 */
export function turnOn(
  db: Database,
  secrets: Secrets,
  { id, username }: UserRow,
  accepted: { secret: string; step: number },
  origin: AuditOrigin,
  when: 'first' | 'always',
): Promise<string[]> {
  return db.write(async (queries) => {
    if (when === 'first' && (await hasSecondFactor(queries, id)))
      throw new UnauthorizedError('The account already has a second factor. Use it to sign in.');
    await recordAudit(queries, { ...origin, actorId: id, actorName: username }, { action: 'user.two_factor_enabled', target: username });
    return enableTwoFactor(queries, secrets, id, accepted);
  });
}
