import { MINUTE_MS } from '#api/durations.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import { hashSecret, randomSecret } from '#server/platform/base/secret-text.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, NEWEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { TokenRow, UserRow } from '#server/platform/db/schema/accounts.ts';

const PREFIX = 'pxd_';
const FORM = /^pxd_[\w-]{43}$/;
/** `last_used_at` is accurate to the minute, so that a thousand uploads don't cost a thousand more writes. */
const USE_RESOLUTION_MS = MINUTE_MS;

export interface NewToken {
  name: string;
  scope: TokenRow['scope'];
  /** Seconds; 0 means until revoked. */
  expiresIn: number;
}

/** Creates a token; `secret` is its text, shown once. @throws ForbiddenError when the user may not have one of this scope */
export function createToken(db: WritableDatabase, userId: number, token: NewToken) {
  return db.write(async (queries) => {
    const { role } = await queries.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirstOrThrow();
    if (token.scope === 'metrics' && role !== 'admin') throw new ForbiddenError('Only administrators can create tokens that read metrics.');
    return insertToken(queries, userId, token);
  });
}

/** The same within a unit of writing. */
export async function insertToken(queries: Queries, userId: number, { name, scope, expiresIn }: NewToken) {
  const secret = PREFIX + randomSecret();
  const now = Date.now();
  const row = await queries
    .insertInto('tokens')
    .values({
      user_id: userId,
      name,
      scope,
      secret_hash: hashSecret(secret),
      created_at: now,
      last_used_at: null,
      expires_at: expiresIn ? now + expiresIn * 1000 : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, secret };
}

/**
 * Creates a token for a device that a user has approved, when the device fetches it: so its text is stored nowhere. Undefined
 * when the account has been disabled or deleted since.
 */
export async function issueToken(queries: Queries, { userId, name, scope }: Pick<NewToken, 'name' | 'scope'> & { userId: number }) {
  const user = await queries
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!user) return undefined;
  const { secret } = await insertToken(queries, userId, { name, scope, expiresIn: 0 });
  return { secret, username: user.username };
}

/** A user's tokens, newest first. */
export function listTokens(db: Database, userId: number, page: PageRequest): Promise<Page<TokenRow>> {
  return keysetPage(db.read.selectFrom('tokens').selectAll().where('user_id', '=', userId), NEWEST_FIRST, page);
}

/** Revokes a user's own token immediately; false when there is none with that id. */
export async function revokeToken(db: WritableDatabase, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.write((queries) =>
    queries.deleteFrom('tokens').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),
  );
  return numDeletedRows > 0n;
}

/** Revokes all tokens of a user; returns their number. */
export async function revokeTokens(queries: Queries, userId: number): Promise<number> {
  return Number((await queries.deleteFrom('tokens').where('user_id', '=', userId).executeTakeFirst()).numDeletedRows);
}

/** The token and its enabled user behind the text of an `Authorization` header, or undefined. */
export async function resolveToken(
  db: Database,
  secret: string,
): Promise<{ token: Pick<TokenRow, 'id' | 'scope'>; user: UserRow } | undefined> {
  if (!FORM.test(secret)) return undefined;
  const now = Date.now();
  const {
    rows: [found],
  } = await withSecret(db.read, { hash: hashSecret(secret) });
  if (!found || (found.expires_at !== null && found.expires_at <= now)) return undefined;
  const { token_id, scope, last_used_at, expires_at: _, ...user } = found;
  if (now - (last_used_at ?? 0) > USE_RESOLUTION_MS) {
    await db.as('note').write((queries) => queries.updateTable('tokens').set({ last_used_at: now }).where('id', '=', token_id).execute());
  }
  return { token: { id: token_id, scope }, user };
}

/** A token of an enabled user, expired or not. */
const withSecret = compileOnce((queries, { hash }: { hash: string }) =>
  queries
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .select(['tokens.id as token_id', 'tokens.scope', 'tokens.last_used_at', 'tokens.expires_at'])
    .where('secret_hash', '=', hash)
    .where('disabled_at', 'is', null),
);
