import type { Request, Response } from 'express';
import type { Database } from '../db/database.ts';
import { setSessionCookie } from './session-cookie.ts';
import { openSession } from './sessions.ts';
import type { UserRow } from './users.ts';

/** Opens a session for the browser behind a request. Whoever calls this has made sure that it is the user. */
export async function signIn(db: Database, user: Pick<UserRow, 'id'>, request: Request, response: Response): Promise<void> {
  const session = await openSession(db, user.id, { address: request.ip ?? '', userAgent: request.headers['user-agent'] ?? '' });
  setSessionCookie(request, response, session);
}
