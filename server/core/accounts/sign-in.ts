import type { Request, Response } from 'express';
import { HOUR } from '#api/durations.ts';
import { type AuditEntry, type AuditOrigin, FAILED_SIGN_IN, recordAudit } from '#server/core/journal/audit.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { requirePoint } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { type Actor, auditOrigin } from './actor.ts';
import { anyone } from './authorize.ts';
import { rememberDevice } from './known-device.ts';
import { setSessionCookie } from './session-cookie.ts';
import { openSession } from './sessions.ts';
import { hasTwoFactor, type SecondFactor } from './two-factor.ts';

/** Of one account. Each leaves a session, an entry in the audit log and a known device. */
const MAX_SIGN_INS = { points: 60, duration: HOUR, keepsAll: true };

type Method = 'password' | 'oidc' | 'passkey';

/** A request of a client that signs in. */
export interface SignInRequest {
  actor: Actor;
  request: Request;
  response: Response;
}

interface SignedIn {
  /** The account as it was when the caller authenticated the user. */
  user: UserRow;
  method: Method;
  second?: SecondFactor;
}

/**
 * Opens a session for the client of a request, remembers its device, and records it in the audit log.
 * @throws UnauthorizedError when it has changed since, so that this isn't enough any more; RequestError `rate_limited`
 */
export async function signIn(
  { db, secrets, limits }: { db: Database; secrets: Secrets; limits: Limits },
  { actor, request, response }: SignInRequest,
  { user, method, second }: SignedIn,
): Promise<void> {
  const { id, username } = user;
  await requirePoint(limits.counter('sign-ins', MAX_SIGN_INS), `account ${id}`, 'Too many sign-ins to your account.');
  const origin = { ...auditOrigin({ actor, request }), actorId: id, actorName: username };
  const session = await db.as(anyone).write(async (queries) => {
    await requireUnchanged(queries, user, method, second);
    await recordAudit(queries, origin, { action: 'user.signed_in', target: username, details: { method, ...(second && { second }) } });
    return openSession(queries, id, origin);
  });
  setSessionCookie(request, response, session);
  rememberDevice(secrets, request, response, user);
}

/**
 * While a password waits to be hashed, or a code to be typed, the password may be reset, the account disabled, or its second factor turned on.
 * @throws UnauthorizedError
 */
export async function requireUnchanged(queries: Queries, { id, password_hash }: UserRow, method: Method, second: SecondFactor | undefined) {
  const found = await queries.selectFrom('users').select(['password_hash', 'disabled_at']).where('id', '=', id).executeTakeFirst();
  const isEnough = method !== 'password' || (found?.password_hash === password_hash && (second || !(await hasTwoFactor(queries, id))));
  if (found?.disabled_at !== null || !isEnough) throw new UnauthorizedError('Your account has just been changed. Sign in again.');
}

export interface FailedSignIn {
  method: Method;
  /** The account's name, if there is such an account. Never the typed text: it may be a password in the wrong field. */
  account: string;
  reason: string;
}

/** Resolves to whether it was recorded; past the limit of its address, it isn't. */
export type NoteFailure = (origin: AuditOrigin, failed: FailedSignIn) => Promise<boolean>;

/** As many as password-guard.ts allows one address. */
const MAX_NOTES = { points: 30, duration: 300 };

/** Of all addresses together, within an hour: an attacker can have any number of addresses. */
const MAX_NOTES_OF_ALL = { points: 300, duration: 3600 };

/** Records failed sign-ins in the audit log; a limited number per address and in total, so that attackers can't fill the disk. */
export function createFailureNotes(db: Database, limits: Limits): NoteFailure {
  const notes = limits.counter('failed sign-ins in the audit log', MAX_NOTES);
  const allNotes = limits.counter('all failed sign-ins in the audit log', MAX_NOTES_OF_ALL);
  return async (origin, { method, account, reason }) => {
    const { consumedPoints } = await notes.penalty(networkOf(origin.address));
    if (consumedPoints > MAX_NOTES.points || (await allNotes.penalty('')).consumedPoints > MAX_NOTES_OF_ALL.points) return false;
    const anonymous = { ...origin, actorId: null, actorName: '' };
    const failed: AuditEntry = { action: FAILED_SIGN_IN, target: account, details: { method, reason } };
    await db.as('note').write((queries) => recordAudit(queries, anonymous, failed));
    return true;
  };
}

/** Removes the sessions and tokens that have expired at `now`; returns their number. */
export async function removeExpiredSignIns(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    const sessions = await queries.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst();
    const tokens = await queries.deleteFrom('tokens').where('expires_at', '<=', now).executeTakeFirst();
    return Number(sessions.numDeletedRows + tokens.numDeletedRows);
  });
}
