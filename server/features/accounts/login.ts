import type * as api from '#api/auth/auth.ts';
import type { RouteData } from '#api/contract.ts';
import { hasPasskey } from '#server/core/accounts/passkeys.ts';
import type { PasswordGuard } from '#server/core/accounts/password-guard.ts';
import { verifyPassword } from '#server/core/accounts/passwords.ts';
import type { NoteFailure } from '#server/core/accounts/sign-in.ts';
import { type SignInRequest, signIn } from '#server/core/accounts/sign-in.ts';
import { hasTwoFactor, mustHaveTwoFactor } from '#server/core/accounts/two-factor.ts';
import { findUserByLogin, toKey } from '#server/core/accounts/users.ts';
import type { Context } from '#server/core/context.ts';
import type { AuditOrigin } from '#server/core/journal/audit.ts';
import type { HashTurn } from '#server/platform/admission/hashing.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { presentUser } from './present-user.ts';
import { setStepCookie } from './two-factor/step-cookie.ts';

interface SignInAttempt {
  login: string;
  password: string;
  origin: AuditOrigin;
  /** The id of the caller's device, if it has signed in to that account with its current password before. */
  deviceOf: (user: UserRow) => string | undefined;
  /** Ends the wait of a client that has disconnected. */
  signal: AbortSignal;
}

/**
 * Checks user name (or e-mail address) and password, and records failures.
 * @throws UnauthorizedError, with the same message after the same time for an unknown account and a wrong password
 */
export async function logIn(
  db: Database,
  guard: PasswordGuard,
  noteFailure: NoteFailure,
  { login, password, origin, deviceOf, signal }: SignInAttempt,
): Promise<UserRow> {
  const user = await findUserByLogin(db.read, login);
  const verify = async (turn: HashTurn) => {
    const matches = await verifyPassword(user?.password_hash, password, turn);
    return matches && user?.disabled_at === null;
  };
  const device = user && deviceOf(user);
  const known = user && device ? { userId: user.id, device } : undefined;
  // Count by login, not by account: a shared count would tell strangers that a user name and an e-mail address belong together.
  const right = await guard.check({ login: toKey(login), address: origin.address, known, signal }, verify);
  if (user && right) return user;
  const reason = user ? (user.disabled_at === null ? 'wrong_password' : 'disabled') : 'unknown_account';
  await noteFailure(origin, { method: 'password', account: user?.username ?? '', reason });
  throw new UnauthorizedError('Incorrect username or password.');
}

/** Signs in a user who has sent the right password, or lets the browser continue with the second step. */
export async function signInByPassword(
  context: Pick<Context, 'db' | 'secrets' | 'limits' | 'settings'>,
  user: UserRow,
  visit: SignInRequest,
): Promise<RouteData<typeof api.login>> {
  const { db, secrets, settings } = context;
  const enabled = await hasTwoFactor(db.read, user.id);
  if (enabled || mustHaveTwoFactor(settings.current().two_factor_required, user)) {
    setStepCookie(secrets, visit.request, visit.response, user);
    // The password alone must not add a second factor to an account that has one.
    return { user: null, second_step: enabled ? 'code' : (await hasPasskey(db.read, user.id)) ? 'passkey' : 'enrol' };
  }
  await signIn(context, visit, { user, method: 'password' });
  return { user: presentUser(user), second_step: null };
}
