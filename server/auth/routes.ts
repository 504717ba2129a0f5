import type { Request, Response } from 'express';
import * as api from '#api/auth.ts';
import type { Context } from '../context.ts';
import { ForbiddenError } from '../http/errors.ts';
import { bind } from '../http/routes.ts';
import { createLoginLimits, logIn } from './login.ts';
import { presentUser } from './present.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';
import { closeSession, openSession } from './sessions.ts';
import { codeMatches, createOwner, isAtTheMachine, type SetupCaller } from './setup.ts';
import { anyUserExists, type UserRow } from './users.ts';

export function authRoutes(context: Context) {
  const { db, config, links } = context;
  const limits = createLoginLimits();

  async function signIn(user: UserRow, request: Request, response: Response) {
    const session = await openSession(db, user.id, { address: request.ip ?? '', userAgent: request.headers['user-agent'] ?? '' });
    setSessionCookie(request, response, session);
    return { user: presentUser(user) };
  }

  return [
    bind(api.setup, async ({ body, request, response }) => {
      const { username, email, password, site_name, setup_code } = body;
      const allowed = isAtTheMachine(callerOf(request), config, links.configuredBaseUrl()) || codeMatches(context.setupCode, setup_code);
      if (!allowed && !(await anyUserExists(db.read))) {
        throw new ForbiddenError('The setup code is missing or wrong. The server has printed it where it was started.');
      }
      return signIn(await createOwner(db, { username, email, password, siteName: site_name }), request, response);
    }),

    bind(api.login, async ({ body, actor, request, response }) => {
      const user = await logIn(db, limits, { ...body, address: actor.address });
      return signIn(user, request, response);
    }),

    bind(api.logout, async ({ actor, request, response }) => {
      if (actor.kind === 'member' && actor.via === 'session') await closeSession(db, actor.id);
      clearSessionCookie(request, response);
      return {};
    }),

    bind(api.getSession, async ({ actor }) => ({
      user: actor.kind === 'member' && actor.via === 'session' ? presentUser(actor.user) : null,
    })),
  ];
}

/** How near a caller is to the machine, for the setup's rule. */
export function callerOf(request: Request): SetupCaller {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].some(
    (name) => name in request.headers,
  );
  return { peer: request.socket.remoteAddress, hostHeader: request.headers.host, forwarded };
}
