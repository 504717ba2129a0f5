import type { AuditOrigin } from '../admin/audit.ts';
import type { Database } from '../db/database.ts';
import { UnauthorizedError } from '../http/errors.ts';
import type { PasswordGuard } from './password-guard.ts';
import { verifyPassword } from './passwords.ts';
import type { NoteFailure } from './sign-in.ts';
import { accountName, findUserByLogin, toKey, type UserRow } from './users.ts';

/**
 * Checks name (or e-mail) and password; what fails is noted.
 * @throws UnauthorizedError with the same words, after the same time, for an unknown account and a wrong password
 */
export async function logIn(
  db: Database,
  guard: PasswordGuard,
  noteFailure: NoteFailure,
  { login, password, origin }: { login: string; password: string; origin: AuditOrigin },
): Promise<UserRow> {
  const user = await findUserByLogin(db.read, login);
  // A known account counts by itself, or its name and its address would be two accounts to guess at.
  const account = user ? accountName(user) : toKey(login);
  const right = await guard.check(account, origin.address, async () => {
    const matches = await verifyPassword(user?.password_hash, password);
    return matches && user?.disabled_at === null;
  });
  if (user && right) return user;
  const reason = user ? (user.disabled_at === null ? 'wrong_password' : 'disabled') : 'unknown_account';
  await noteFailure(origin, { method: 'password', account: user?.username ?? '', reason });
  throw new UnauthorizedError('User name or password is wrong.');
}
