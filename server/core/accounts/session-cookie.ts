import type { Request, Response } from 'express';
import { cookieAttributes } from '#server/platform/http/headers/cookies.ts';
import { type OpenedSession, SESSION_COOKIE } from './sessions.ts';

export function setSessionCookie(request: Request, response: Response, { secret, expires }: OpenedSession): void {
  response.cookie(SESSION_COOKIE, secret, { ...cookieAttributes(request), expires });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(SESSION_COOKIE, cookieAttributes(request));
}
