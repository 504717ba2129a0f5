import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { addIdentity, findLinked, type Person } from './accounts.ts';
import { SignOnError } from './sign-on-error.ts';

type Identity = Pick<Tables['identities'], 'issuer' | 'created_at'> & { id: number };

/** The identities that a user's account is linked to, oldest first. */
export function listIdentities(queries: Queries, userId: number): Promise<Identity[]> {
  return queries.selectFrom('identities').select(['id', 'issuer', 'created_at']).where('user_id', '=', userId).orderBy('id').execute();
}

/**
 * Links an account to the person who has just signed on in its own session.
 * @throws SignOnError `oidc_linked_elsewhere` when the person has another account
 */
export async function linkPerson(db: WritableDatabase, user: UserRow, person: Person, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const holder = await findLinked(queries, person);
    if (holder?.id === user.id) return;
    if (holder) throw new SignOnError('oidc_linked_elsewhere', 'the person is linked to another account', { who: holder.username });
    await addIdentity(queries, { user, person, action: 'user.linked', origin, now: Date.now() });
  });
}

/**
 * Removes one of a user's own identities.
 * @throws NotFoundError, or RequestError `conflict` when it is the only way to sign in
 */
export async function unlink(db: WritableDatabase, { userId, id }: { userId: number; id: number }, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const identities = await listIdentities(queries, userId);
    const identity = requireFound(
      identities.find((one) => one.id === id),
      'This link no longer exists. Reload the page.',
    );
    const user = await queries.selectFrom('users').select(['username', 'password_hash']).where('id', '=', userId).executeTakeFirstOrThrow();
    if (user.password_hash === null && identities.length === 1)
      throw new RequestError('conflict', 'This is the only way to sign in to your account. Set a password first.', {
        problem: 'last_sign_in',
      });
    await queries.deleteFrom('identities').where('id', '=', id).execute();
    await recordAudit(queries, origin, { action: 'user.unlinked', target: user.username, details: { issuer: identity.issuer } });
  });
}
