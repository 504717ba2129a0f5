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

/** Another account of the running service, in the default group, and signed in. Its password is {@link USER_PASSWORD}. */
export function addUser(service: TestService, username: string, role: 'user' | 'admin' = 'user'): Promise<AddedUser> {
  return withDatabase(service, async (db) => {
    const passwordHash = await hashPassword(USER_PASSWORD);
    const user = await db.as('job').write(async (queries) => {
      const group = await groupOfKind(queries, 'default');
      const email = `${username}@example.org`;
      return insertUser(
        queries,
        { username, email, emailSource: 'admin', passwordHash, role, isOwner: false, groupId: group.id },
        Date.now(),
      );
    });
    const { secret } = await db.as('job').write((queries) => openSession(queries, user.id, { address: '127.0.0.1', userAgent: 'test' }));
    return { ...signedIn(service, `${SESSION_COOKIE}=${secret}`), id: user.id };
  });
}
