import type { Generated } from 'kysely';
import type { Database } from '../db/database.ts';
import { hashSecret, randomSecret } from './secret-text.ts';
import type { UserRow } from './users.ts';

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  secret_hash: string;
  address: string;
  user_agent: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

export const SESSION_COOKIE = 'pixdock_session';
const LIFETIME_MS = 30 * 86_400_000;
/** A session is renewed at most this often, so that reading does not mean writing. */
const RENEW_AFTER_MS = 3_600_000;

export interface OpenedSession {
  /** The cookie's value; only its hash is stored. */
  secret: string;
  expires: Date;
}

/** Opens a session that lasts 30 days after its last use. */
export async function openSession(db: Database, userId: number, seen: { address: string; userAgent: string }): Promise<OpenedSession> {
  const secret = randomSecret();
  const now = Date.now();
  const expires_at = now + LIFETIME_MS;
  await db.write((queries) =>
    queries
      .insertInto('sessions')
      .values({
        user_id: userId,
        secret_hash: hashSecret(secret),
        address: seen.address,
        user_agent: seen.userAgent.slice(0, 300),
        created_at: now,
        last_seen_at: now,
        expires_at,
      })
      .execute(),
  );
  return { secret, expires: new Date(expires_at) };
}

export interface ResolvedSession {
  id: number;
  user: UserRow;
  /** Set when the session was renewed and its cookie should be, too. */
  renewedUntil?: Date;
}

/** The live session and its enabled user behind a cookie value, or undefined. */
export async function resolveSession(db: Database, secret: string): Promise<ResolvedSession | undefined> {
  const now = Date.now();
  const found = await db.read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.id as session_id', 'sessions.last_seen_at'])
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!found) return undefined;
  const { session_id, last_seen_at, ...user } = found;
  if (now - last_seen_at < RENEW_AFTER_MS) return { id: session_id, user };
  const expires_at = now + LIFETIME_MS;
  await db.write((queries) =>
    queries.updateTable('sessions').set({ last_seen_at: now, expires_at }).where('id', '=', session_id).execute(),
  );
  return { id: session_id, user, renewedUntil: new Date(expires_at) };
}

export async function closeSession(db: Database, id: number): Promise<void> {
  await db.write((queries) => queries.deleteFrom('sessions').where('id', '=', id).execute());
}
