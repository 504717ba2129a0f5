import type { Request, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type AuditOrigin, FAILED_SIGN_IN, recordAudit } from '#server/core/journal/audit.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { type Actor, auditOrigin } from './actor.ts';
import { setSessionCookie } from './session-cookie.ts';
import { openSession } from './sessions.ts';

/** How somebody has shown, or tried to show, who they are. */
type Method = 'password' | 'oidc';

interface Visit {
  actor: Actor;
  request: Request;
  response: Response;
}

/** Opens a session for the browser behind a request, and writes that down. Whoever calls this has made sure that it is the user. */
export async function signIn(db: Database, { id, username }: UserRow, method: Method, { actor, request, response }: Visit): Promise<void> {
  const origin = { ...auditOrigin({ actor, request }), actorId: id, actorName: username };
  const session = await db.write(async (queries) => {
    await recordAudit(queries, origin, { action: 'user.signed_in', target: username, details: { method } });
    return openSession(queries, id, origin);
  });
  setSessionCookie(request, response, session);
}

export interface FailedSignIn {
  method: Method;
  /** Whose account it would have been, as far as that is certain. Never what somebody has typed: it may be a password in the wrong field. */
  account: string;
  reason: string;
}

export type NoteFailure = (origin: AuditOrigin, failed: FailedSignIn) => Promise<void>;

/** As many as password-guard.ts lets one address try by itself. */
const MOST_NOTES = { points: 30, duration: 300 };

/** Writes failed sign-ins down; of one address only so many, since strangers must not be able to fill the disk. */
export function createFailureNotes(db: Database): NoteFailure {
  const notes = new RateLimiterMemory(MOST_NOTES);
  return async (origin, { method, account, reason }) => {
    const { consumedPoints } = await notes.penalty(networkOf(origin.address));
    if (consumedPoints > MOST_NOTES.points) return;
    const nobody = { ...origin, actorId: null, actorName: '' };
    await db.write((queries) => recordAudit(queries, nobody, { action: FAILED_SIGN_IN, target: account, details: { method, reason } }));
  };
}

/** Removes the sessions and tokens that have expired at `now`; returns their number. */
export async function removeExpiredSignIns(db: Database, now: number): Promise<number> {
  return db.write(async (queries) => {
    const sessions = await queries.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst();
    const tokens = await queries.deleteFrom('tokens').where('expires_at', '<=', now).executeTakeFirst();
    return Number(sessions.numDeletedRows + tokens.numDeletedRows);
  });
}
