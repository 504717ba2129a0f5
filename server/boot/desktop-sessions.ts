import { APP_USER_AGENT } from '#api/auth/app-session.ts';
import { openSession, SESSION_COOKIE, THIS_COMPUTER } from '#server/core/accounts/sessions.ts';
import { findOwner } from '#server/core/accounts/users.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import type { Database, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

// Sessions without a password, only for the program that started the service.

/** How many accounts the desktop app lists. */
const MAX_ACCOUNTS = 1_000;

/** A session, as a cookie. */
export interface DesktopSession {
  name: string;
  value: string;
  expires: Date;
}

/** A session of a chosen account. */
export interface AccountSession extends DesktopSession {
  user: { id: number; username: string };
}

/** An account that the desktop app can upload with. */
export interface AccountChoice {
  id: number;
  username: string;
  is_owner: boolean;
  disabled: boolean;
}

/** What the desktop app asks of the service's accounts. */
export interface DesktopSessions {
  /** Signs the owner in for the app's window, and creates the owner when there is no account. */
  openOwnerSession(username: string): Promise<DesktopSession>;
  /**
   * Opens the session with which the app uploads, in place of its last one. `userId` null: the owner, created when there is no
   * account. Resolves to undefined when the account doesn't exist or is disabled.
   */
  openAccountSession(userId: number | null, username: string): Promise<AccountSession | undefined>;
  listAccounts(): Promise<AccountChoice[]>;
}

export function createDesktopSessions(db: WritableDatabase): DesktopSessions {
  let creating: Promise<UserRow> | undefined;

  /** The window and the uploads may both need the first account at the same time. */
  async function owner(username: string): Promise<UserRow> {
    await creating?.catch(() => undefined);
    const found = await findOwner(db.read);
    if (found) return found;
    creating ??= createOwner(db, { username, email: null, password: null }).finally(() => {
      creating = undefined;
    });
    return creating;
  }

  return {
    async openOwnerSession(username) {
      const { id } = await owner(username);
      const { secret, expires } = await db.write((queries) =>
        openSession(queries, id, { address: THIS_COMPUTER, userAgent: 'Pixdock desktop' }),
      );
      return { name: SESSION_COOKIE, value: secret, expires };
    },
    async openAccountSession(userId, username) {
      const user = userId === null ? await owner(username) : await findUser(db, userId);
      if (!user || user.disabled_at !== null) return undefined;
      const { secret, expires } = await db.write(async (queries) => {
        await queries.deleteFrom('sessions').where('address', '=', THIS_COMPUTER).where('user_agent', '=', APP_USER_AGENT).execute();
        return openSession(queries, user.id, { address: THIS_COMPUTER, userAgent: APP_USER_AGENT });
      });
      return { name: SESSION_COOKIE, value: secret, expires, user: { id: user.id, username: user.username } };
    },
    async listAccounts() {
      const columns = ['id', 'username', 'is_owner', 'disabled_at'] as const;
      const users = await db.read
        .selectFrom('users')
        .select(columns)
        .where('id', 'not in', (query) => query.selectFrom('account_deletions').select('user_id'))
        .orderBy('username_key')
        .limit(MAX_ACCOUNTS)
        .execute();
      return users.map(({ id, username, is_owner, disabled_at }) => ({
        id,
        username,
        is_owner: is_owner === 1,
        disabled: disabled_at !== null,
      }));
    },
  };
}

function findUser(db: Database, id: number): Promise<UserRow | undefined> {
  return db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}
