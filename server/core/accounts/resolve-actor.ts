import type { Request, RequestHandler, Response } from 'express';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import { cookiesOf } from '#server/platform/http/headers/cookies.ts';
import type { Actor, Guest, Member } from './actor.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';
import { resolveSession, SESSION_COOKIE } from './sessions.ts';
import { resolveToken } from './tokens.ts';

/**
 * Identifies the caller and stores it in `response.locals.actor`. A bearer token takes precedence over the cookie, and an
 * invalid one is refused, never treated as a guest. An expired session cookie is cleared and the caller treated as a
 * guest, except where `strictCookie` is true: an upload must not silently become a guest's.
 */
export function resolveActor(db: Database, strictCookie: (request: Request) => boolean): RequestHandler {
  return (request, response, next) => {
    response.locals.db = db;
    const proceed = (actor: Actor) => {
      response.locals.actor = actor;
      next();
    };
    const { authorization, cookie } = request.headers;
    // Most viewers send no credentials; stay synchronous.
    if (authorization === undefined && cookie === undefined) return proceed(guest(request));
    return findActor(db, strictCookie, request, response).then(proceed);
  };
}

async function findActor(db: Database, strictCookie: (request: Request) => boolean, request: Request, response: Response): Promise<Actor> {
  const address = request.ip ?? '';
  const { authorization } = request.headers;
  if (authorization !== undefined) return tokenMember(db, authorization, address);
  const secret = cookiesOf(request)[SESSION_COOKIE];
  if (!secret) return { kind: 'guest', address };
  const session = await resolveSession(db, secret);
  if (session) {
    if (session.renewedUntil) setSessionCookie(request, response, { secret, expires: session.renewedUntil });
    return { kind: 'member', user: session.user, via: 'session', scope: 'full', id: session.id, address };
  }
  clearSessionCookie(request, response);
  if (strictCookie(request)) throw new UnauthorizedError('You’re no longer signed in. Sign in and upload again.');
  return { kind: 'guest', address };
}

const guest = ({ ip = '' }: Request): Guest => ({ kind: 'guest', address: ip });

async function tokenMember(db: Database, authorization: string, address: string): Promise<Member> {
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const found = text ? await resolveToken(db, text) : undefined;
  if (!found)
    throw new UnauthorizedError(
      'This token isn’t valid. It may have expired or been revoked. Create a new one under Settings → API tokens.',
    );
  return { kind: 'member', user: found.user, via: 'token', scope: found.token.scope, id: found.token.id, address };
}
