import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Member } from './actor.ts';
import type { PasswordGuard } from './password-guard.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Checks that the holder of a session knows the account's password, if it has one.
 * @throws InvalidRequestError when it is missing, RequestError `wrong_password` or `rate_limited`
 */
export async function requireOwnPassword(
  guard: PasswordGuard,
  { user, address, via, id }: Member,
  given: string | undefined,
): Promise<void> {
  const { password_hash } = user;
  if (password_hash === null) return;
  if (!given)
    throw new InvalidRequestError('Enter your current password to change this.', { field: 'current_password', problem: 'missing' });
  const known = via === 'session' ? { userId: user.id, device: `session ${id}` } : undefined;
  const right = await guard.check({ login: user.username_key, address, known }, (turn) => verifyPassword(password_hash, given, turn));
  if (!right) throw new RequestError('wrong_password', 'The current password is incorrect.', { field: 'current_password' });
}
