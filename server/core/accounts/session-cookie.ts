import type { Request, Response } from 'express';
import { type OpenedSession, SESSION_COOKIE } from './sessions.ts';

/** Sets the session cookie; `Secure` only when this request came over https, since the LAN uses plain http. */
export function setSessionCookie(request: Request, response: Response, { secret, expires }: OpenedSession): void {
  response.cookie(SESSION_COOKIE, secret, { httpOnly: true, sameSite: 'lax', secure: request.secure, path: '/', expires });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(SESSION_COOKIE, { httpOnly: true, sameSite: 'lax', secure: request.secure, path: '/' });
}

/** The value of a cookie of a request; undefined when absent. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}
