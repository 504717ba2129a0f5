import { groupOfKind } from '#server/core/accounts/groups.ts';
import { requireStrong } from '#server/core/accounts/password-strength.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { anyUserExists, insertUser } from '#server/core/accounts/users.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { normalCode, readableCodeOf } from '#server/platform/base/readable-code.ts';
import { safeEqual } from '#server/platform/base/secret-text.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/** The code such as `K7QM-3XWD-9RTF` that allows creating the first account: the same after a restart, and on every service with these secrets. */
export function setupCodeOf(secrets: Pick<Secrets, 'key'>): string {
  return readableCodeOf(secrets.key('setup code'), 3);
}

/** Whether an entered code is the printed one, ignoring case and dashes. */
export function codeMatches(code: string, typed: string | undefined): boolean {
  return safeEqual(normalCode(code), normalCode(typed ?? ''));
}

export interface OwnerOptions {
  username: string;
  email: string | null;
  /** Null on the desktop: signing in by password then always fails. */
  password: string | null;
}

/**
 * Creates the first account.
 * @param write runs the unit of writing, which may include more
 * @throws RequestError `conflict` when an account exists
 */
export async function createOwner(
  db: WritableDatabase,
  { username, email, password }: OwnerOptions,
  write: WritableDatabase['write'] = db.write,
): Promise<UserRow> {
  // Checked twice: before the slow hash, so that clients can't load a server that is already set up, and in the unit of writing.
  await requireNoAccount(db.read);
  if (password !== null) await requireStrong(password, 'password', [username, email]);
  const passwordHash = password === null ? null : await hashPassword(password);
  return write(async (queries) => {
    await requireNoAccount(queries);
    const group = await groupOfKind(queries, 'owner');
    return insertUser(
      queries,
      { username, email, emailSource: 'admin', passwordHash, role: 'admin', isOwner: true, groupId: group.id },
      Date.now(),
    );
  });
}

async function requireNoAccount(queries: Queries) {
  if (await anyUserExists(queries))
    throw new RequestError('conflict', 'Pixdock is already set up. Sign in instead.', { problem: 'already_set_up' });
}
