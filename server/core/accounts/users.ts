import { tellShared } from '#server/core/journal/changes.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

export interface NewUser {
  username: string;
  email: string | null;
  emailSource: Tables['users']['email_source'];
  passwordHash: string | null;
  role: Tables['users']['role'];
  isOwner: boolean;
  groupId: number;
}

/** The form in which user names and e-mail addresses are compared. */
export const toKey = (text: string) => text.normalize('NFKC').toLowerCase();

/**
 * Checks, inside a unit of writing, that no other account has this user name or e-mail address.
 * @throws RequestError `conflict` that names the field
 */
export async function requireFree(queries: Queries, names: { username?: string; email?: string | null }, exceptId = 0): Promise<void> {
  const { username, email } = names;
  if (username !== undefined && (await isTaken(queries, 'username_key', username, exceptId)))
    throw new RequestError('conflict', 'This username is already taken. Choose another one.', {
      field: 'username',
      problem: 'username_taken',
    });
  if (email && (await isTaken(queries, 'email_key', email, exceptId)))
    throw new RequestError(
      'conflict',
      'Another account already uses this email address. Sign in to that account, or use a different address.',
      {
        field: 'email',
        problem: 'email_taken',
      },
    );
}

async function isTaken(queries: Queries, column: 'username_key' | 'email_key', text: string, exceptId: number): Promise<boolean> {
  const other = await queries
    .selectFrom('users')
    .select('id')
    .where(column, '=', toKey(text))
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Adds an account; call `requireFree` first. */
export async function insertUser(queries: Queries, user: NewUser, now: number): Promise<UserRow> {
  const { username, email, emailSource, passwordHash, role, isOwner, groupId } = user;
  const inserted = await queries
    .insertInto('users')
    .values({
      username,
      username_key: toKey(username),
      email,
      email_key: email && toKey(email),
      email_source: emailSource,
      password_hash: passwordHash,
      role,
      is_owner: isOwner ? 1 : 0,
      group_id: groupId,
      disabled_at: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  tellShared(queries, [inserted.id], { left: false });
  return inserted;
}

/** Sets an account's password. Ending its sessions is up to the caller. */
export async function setPasswordHash(queries: Queries, userId: number, passwordHash: string): Promise<void> {
  await queries.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

export function findUserByLogin(queries: Queries, login: string): Promise<UserRow | undefined> {
  const column = login.includes('@') ? 'email_key' : 'username_key';
  return queries.selectFrom('users').selectAll().where(column, '=', toKey(login)).executeTakeFirst();
}

export function findUserByEmail(queries: Queries, email: string): Promise<UserRow | undefined> {
  return queries.selectFrom('users').selectAll().where('email_key', '=', toKey(email)).executeTakeFirst();
}

export async function isUsernameFree(queries: Queries, username: string): Promise<boolean> {
  return !(await isTaken(queries, 'username_key', username, 0));
}

export async function findOwner(queries: Queries): Promise<UserRow | undefined> {
  return queries.selectFrom('users').selectAll().where('is_owner', '=', 1).executeTakeFirst();
}

export async function anyUserExists(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
