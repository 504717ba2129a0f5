import { join } from 'node:path';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { type SignedIn, signedIn, type TestService } from '#test/helpers/service/service.ts';

/** Changes the database of a running service directly. The service's caches don't notice. */
export async function withDatabase<T>({ dataDir, config }: TestService, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config.databaseUrl ?? join(dataDir, 'pixdock.db'));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

export interface AddedUser extends SignedIn {
  id: number;
}

export const USER_PASSWORD = 'another good password';

/** Hashes by password, which take long to compute. */
const hashes = new Map<string, Promise<string>>();

function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** Another account of the running service, signed in: in the default group, with {@link USER_PASSWORD}, unless a test says otherwise. */
export function addUser(
  service: TestService,
  username: string,
  role: 'user' | 'admin' = 'user',
  { group = 'default' as 'default' | 'owner', password = USER_PASSWORD } = {},
): Promise<AddedUser> {
  return withDatabase(service, async (db) => {
    const passwordHash = await hashOnce(password);
    const user = await db.as('job').write(async (queries) => {
      const { id: groupId } = await groupOfKind(queries, group);
      const email = `${username}@example.org`;
      return insertUser(queries, { username, email, emailSource: 'admin', passwordHash, role, isOwner: false, groupId }, Date.now());
    });
    const { secret } = await db.as('job').write((queries) => openSession(queries, user.id, { address: '127.0.0.1', userAgent: 'test' }));
    return { ...signedIn(service, `${SESSION_COOKIE}=${secret}`), id: user.id };
  });
}

/** Gives the names of all users free for the next test; they keep what they have. */
export const freeNames = (service: TestService): Promise<void> =>
  withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      for (const { id } of await queries.selectFrom('users').select('id').where('username_key', 'not like', 'former-%').execute()) {
        const name = `former-${id}`;
        const email = `${name}@example.org`;
        const names = { username: name, username_key: name, email, email_key: email };
        await queries.updateTable('users').set(names).where('id', '=', id).execute();
      }
    }),
  );

/** What all users of a service share, to compare. */
export const sharedState = (service: TestService): Promise<string> =>
  withDatabase(service, async (db) => {
    const tables = ['settings', 'groups', 'policies'] as const;
    return JSON.stringify(await Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().execute())));
  });
