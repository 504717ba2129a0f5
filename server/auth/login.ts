import type { Database } from '../db/database.ts';
import { UnauthorizedError } from '../http/errors.ts';
import type { PasswordGuard } from './password-guard.ts';
import { verifyPassword } from './passwords.ts';
import { accountName, findUserByLogin, toKey, type UserRow } from './users.ts';

/**
 * Checks name (or e-mail) and password.
 * @throws UnauthorizedError with the same words, after the same time, for an unknown account and a wrong password
 */
export async function logIn(
  db: Database,
  guard: PasswordGuard,
  { login, password, address }: { login: string; password: string; address: string },
): Promise<UserRow> {
  const user = await findUserByLogin(db.read, login);
  // A known account counts by itself, or its name and its address would be two accounts to guess at.
  const account = user ? accountName(user) : toKey(login);
  const right = await guard.check(account, address, async () => {
    const matches = await verifyPassword(user?.password_hash, password);
    return matches && user?.disabled_at === null;
  });
  if (user && right) return user;
  throw new UnauthorizedError('User name or password is wrong.');
}
