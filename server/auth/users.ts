import type { Generated, Selectable } from 'kysely';
import type { Queries } from '../db/database.ts';

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Lower case, for finding and uniqueness. */
  username_key: string;
  email: string | null;
  email_key: string | null;
  /** Who set the address: sign-on matches only what an admin or a provider has set, not what a user typed in. */
  email_source: 'user' | 'admin' | 'provider';
  /** Null: no sign-in by password. */
  password_hash: string | null;
  role: 'user' | 'admin';
  is_owner: 0 | 1;
  group_id: number;
  disabled_at: number | null;
  /** Sum of the sizes of the user's images, trash included. */
  storage_used_bytes: Generated<number>;
  image_count: Generated<number>;
  preferences: Generated<string>;
  created_at: number;
}
export type UserRow = Selectable<UsersTable>;

export interface NewUser {
  username: string;
  email: string | null;
  emailSource: UsersTable['email_source'];
  passwordHash: string | null;
  role: UsersTable['role'];
  isOwner: boolean;
  groupId: number;
}

/** The form in which names and addresses are compared. */
export const toKey = (text: string) => text.normalize('NFKC').toLowerCase();

/** @throws the database's uniqueness fault when name or e-mail is taken */
export function insertUser(queries: Queries, user: NewUser, now: number): Promise<UserRow> {
  const { username, email, emailSource, passwordHash, role, isOwner, groupId } = user;
  return queries
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
}

export function findUserByLogin(queries: Queries, login: string): Promise<UserRow | undefined> {
  const column = login.includes('@') ? 'email_key' : 'username_key';
  return queries.selectFrom('users').selectAll().where(column, '=', toKey(login)).executeTakeFirst();
}

export async function findOwner(queries: Queries): Promise<UserRow | undefined> {
  return queries.selectFrom('users').selectAll().where('is_owner', '=', 1).executeTakeFirst();
}

export async function anyUserExists(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
