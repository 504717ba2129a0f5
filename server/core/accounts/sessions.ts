import { DAY_MS, HOUR_MS, MINUTE_MS } from '#api/durations.ts';
import { cleanLine, cutText } from '#api/plain-text.ts';
import { hashSecret, randomSecret } from '#server/platform/base/secret-text.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, NEWEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { SessionRow, UserRow } from '#server/platform/db/schema/accounts.ts';

export const SESSION_COOKIE = 'pixdock_session';
/** The address of the desktop app's own sessions. A request over the network can't have it. */
export const THIS_COMPUTER = 'this computer';
const LIFETIME_MS = 30 * DAY_MS;
/** Cookies are renewed at most this often. */
const RENEW_AFTER_MS = HOUR_MS;
/** `last_seen_at` is accurate to the minute, so that most requests don't write. */
const SEEN_RESOLUTION_MS = MINUTE_MS;

/** Sessions of one user; the one that hasn't been used for longest makes room. */
const MAX_SESSIONS = 100;

export interface OpenedSession {
  /** The cookie's value; only its hash is stored. */
  secret: string;
  expires: Date;
}

/** Opens a session that lasts 30 days after its last use. */
export async function openSession(queries: Queries, userId: number, seen: { address: string; userAgent: string }): Promise<OpenedSession> {
  const secret = randomSecret();
  const now = Date.now();
  const expires_at = now + LIFETIME_MS;
  await queries
    .insertInto('sessions')
    .values({
      user_id: userId,
      secret_hash: hashSecret(secret),
      address: seen.address,
      user_agent: cutText(cleanLine(seen.userAgent.slice(0, 1_000)), 300),
      created_at: now,
      last_seen_at: now,
      expires_at,
    })
    .execute();
  const kept = queries.selectFrom('sessions').select('id').where('user_id', '=', userId);
  const latest = kept.orderBy('last_seen_at', 'desc').orderBy('id', 'desc').limit(MAX_SESSIONS);
  await queries.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', latest).execute();
  return { secret, expires: new Date(expires_at) };
}

export interface ResolvedSession {
  id: number;
  user: UserRow;
  /** Set when the session was renewed, so that its cookie must be renewed too. */
  renewedUntil?: Date;
}

/** The live session and its enabled user behind a cookie value, or undefined. */
export async function resolveSession(db: Database, secret: string): Promise<ResolvedSession | undefined> {
  const now = Date.now();
  const hash = hashSecret(secret);
  const find = async () => (await withSecret(db.read, { hash })).rows[0];
  // A session that another service ends must end at once.
  const found = await (db.isShared ? find() : db.cached(`session ${hash}`, find));
  if (!found || found.session_expires_at <= now) return undefined;
  const { session_id, session_expires_at, last_seen_at, ...user } = found;
  if (now < session_expires_at - LIFETIME_MS + RENEW_AFTER_MS) {
    if (now - last_seen_at >= SEEN_RESOLUTION_MS) noteSeen(db, session_id, now);
    return { id: session_id, user };
  }
  const expires_at = now + LIFETIME_MS;
  await db
    .as('note')
    .write((queries) => queries.updateTable('sessions').set({ last_seen_at: now, expires_at }).where('id', '=', session_id).execute());
  return { id: session_id, user, renewedUntil: new Date(expires_at) };
}

/** Sessions whose use is being noted, by database. A page sends many requests at once. */
const noting = new WeakMap<Database, Set<number>>();

/** Notes the use of a session. The request doesn't wait for it, and succeeds when the database can't be written to. */
function noteSeen(db: Database, id: number, now: number): void {
  const ids = noting.get(db) ?? new Set();
  noting.set(db, ids);
  if (ids.has(id)) return;
  ids.add(id);
  void db
    .as('note')
    .write((queries) => queries.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute())
    .catch(() => undefined)
    .finally(() => ids.delete(id));
}

/** A session of an enabled user, expired or not. */
const withSecret = compileOnce((queries, { hash }: { hash: string }) =>
  queries
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.id as session_id', 'sessions.expires_at as session_expires_at', 'sessions.last_seen_at'])
    .where('secret_hash', '=', hash)
    .where('disabled_at', 'is', null),
);

export async function closeSession(db: WritableDatabase, id: number): Promise<void> {
  await db.write((queries) => queries.deleteFrom('sessions').where('id', '=', id).execute());
}

/** A user's live sessions, newest first. */
export function listSessions(db: Database, userId: number, page: PageRequest): Promise<Page<SessionRow>> {
  const query = db.read.selectFrom('sessions').selectAll().where('user_id', '=', userId).where('expires_at', '>', Date.now());
  return keysetPage(query, NEWEST_FIRST, page);
}

/** Ends a user's own session immediately; false when there is none with that id. */
export async function closeOwnSession(db: WritableDatabase, userId: number, id: number): Promise<boolean> {
  return db.write(async (queries) => {
    const { numDeletedRows } = await queries.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
    if (numDeletedRows > 0n) await withdrawApprovals(queries, userId);
    return numDeletedRows > 0n;
  });
}

/** Ends all sessions of a user, or all but one; returns their number. */
export async function endSessions(queries: Queries, userId: number, exceptId?: number): Promise<number> {
  await withdrawApprovals(queries, userId);
  let query = queries.deleteFrom('sessions').where('user_id', '=', userId);
  if (exceptId !== undefined) query = query.where('id', '<>', exceptId);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** A device or phone that an ended session has approved must not get a token afterwards. Requests don't record which session approved them. */
async function withdrawApprovals(queries: Queries, userId: number) {
  await queries.deleteFrom('device_requests').where('user_id', '=', userId).execute();
  await queries.deleteFrom('phone_codes').where('user_id', '=', userId).execute();
}
