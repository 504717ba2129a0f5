import { RECENT_SIGN_IN_MINUTES } from '#api/constants.ts';
import { MINUTE_MS } from '#api/durations.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { Member } from './actor.ts';
import type { PasswordGuard } from './password-guard.ts';
import { verifyPassword } from './passwords.ts';
import { THIS_COMPUTER } from './sessions.ts';

/**
 * Checks that the holder of a session is the account's user, not someone with a stolen session: by the password, or where there is
 * none, by a recent sign-in.
 * @throws InvalidRequestError when the password is missing, RequestError `wrong_password`, `rate_limited` or `sign_in_again`
 */
export async function confirmIdentity(
  { db, passwordGuard }: { db: Database; passwordGuard: PasswordGuard },
  member: Member,
  password: string | undefined,
): Promise<void> {
  const { user, address, via, id } = member;
  const { password_hash } = user;
  if (password_hash === null) return requireRecentSignIn(db, member);
  if (!password)
    throw new InvalidRequestError('Enter your current password to change this.', { field: 'current_password', problem: 'missing' });
  const known = via === 'session' ? { userId: user.id, device: `session ${id}` } : undefined;
  const right = await passwordGuard.check({ login: user.username_key, address, known }, (turn) =>
    verifyPassword(password_hash, password, turn),
  );
  if (!right) throw new RequestError('wrong_password', 'The current password is incorrect.', { field: 'current_password' });
}

async function requireRecentSignIn({ read }: Database, { id, via }: Member) {
  const session =
    via === 'session'
      ? await read.selectFrom('sessions').select(['created_at', 'address']).where('id', '=', id).executeTakeFirst()
      : undefined;
  // The desktop app signs its owner in without asking.
  if (session?.address === THIS_COMPUTER) return;
  const since = Date.now() - RECENT_SIGN_IN_MINUTES * MINUTE_MS;
  if (!session || session.created_at < since)
    throw new RequestError('sign_in_again', `Sign in again to confirm that it’s you, then retry within ${RECENT_SIGN_IN_MINUTES} minutes.`);
}
