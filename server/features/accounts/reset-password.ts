import { password } from '#api/auth/auth.ts';
import { resetSecondFactors } from '#server/core/accounts/passkeys.ts';
import { requireStrong } from '#server/core/accounts/password-strength.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { endSessions } from '#server/core/accounts/sessions.ts';
import { revokeTokens } from '#server/core/accounts/tokens.ts';
import { findUserByLogin, setPasswordHash } from '#server/core/accounts/users.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { type Place, requireDatabase } from '#server/platform/db/location.ts';
import { sentenceOf } from '#server/platform/http/errors/field-sentence.ts';

/**
 * Sets an account's password directly in the database, ends all its sessions and, unless they are kept, revokes its API tokens; on request, also turns off
 * its two-factor authentication and removes its passkeys. Works whether or not the service runs.
 * @param login user name or e-mail address
 * @param ask prompts for the new password, once the account is found
 * @returns the account's user name
 * @throws ConfigError with a sentence when the folder, account or password isn't valid
 */
export async function resetPassword(
  place: Place,
  login: string,
  ask: () => Promise<string>,
  { keepTokens = false, resetTwoFactor = false }: { keepTokens?: boolean | undefined; resetTwoFactor?: boolean | undefined } = {},
): Promise<string> {
  const db = await openDatabase(requireDatabase(place));
  try {
    const user = await findUserByLogin(db.read, login);
    if (!user) throw new ConfigError(`There’s no account “${login}”. Enter an existing username or email address.`);
    const newPassword = await ask();
    const checked = password.safeParse(newPassword, { error: sentenceOf });
    if (!checked.success) throw new ConfigError(`The password isn’t valid: ${checked.error.issues[0]?.message}.`);
    await requireStrong(newPassword, 'password', [user.username, user.email]).catch(asConfigError);
    const passwordHash = await hashPassword(newPassword);
    await db.as('start').write(async (queries) => {
      await setPasswordHash(queries, user.id, passwordHash);
      await endSessions(queries, user.id);
      if (!keepTokens) await revokeTokens(queries, user.id);
      if (resetTwoFactor) await resetSecondFactors(queries, user.id);
    });
    return user.username;
  } finally {
    await db.close();
  }
}

/** The command prints a sentence; it has no fields. */
function asConfigError(error: unknown): never {
  throw error instanceof InvalidRequestError ? new ConfigError(error.message) : error;
}
