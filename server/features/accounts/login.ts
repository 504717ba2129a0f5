import type { PasswordGuard } from '#server/core/accounts/password-guard.ts';
import { verifyPassword } from '#server/core/accounts/passwords.ts';
import type { NoteFailure } from '#server/core/accounts/sign-in.ts';
import { findUserByLogin, toKey } from '#server/core/accounts/users.ts';
import type { AuditOrigin } from '#server/core/journal/audit.ts';
import type { HashTurn } from '#server/platform/admission/hashing.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

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
