import * as api from '#api/auth/auth.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { knownDevice } from '#server/core/accounts/known-device.ts';
import { clearSessionCookie } from '#server/core/accounts/session-cookie.ts';
import { closeSession } from '#server/core/accounts/sessions.ts';
import { createFailureNotes, signIn } from '#server/core/accounts/sign-in.ts';
import { anyUserExists } from '#server/core/accounts/users.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import { leaving } from '#server/platform/http/limits/leaving.ts';
import { logIn, signInByPassword } from './login.ts';
import { presentUser } from './present-user.ts';
import { createRegistration } from './registration.ts';
import { codeMatches, createOwner } from './setup.ts';
import { createCodeGuard } from './two-factor/code-guard.ts';
import { secondStepRoutes } from './two-factor/sign-in-routes.ts';

export function authRoutes(context: Context) {
  const { db, secrets, settings, limits, passwordGuard } = context;
  const registration = createRegistration(db, limits);
  const noteFailure = createFailureNotes(db, limits);

  return [
    bind(api.setup, async ({ body, actor, caller, request, response }) => {
      const { username, email, password, site_name, setup_code } = body;
      // From this computer, too: a proxy that runs here is indistinguishable from a browser that does (decision 075).
      if (!codeMatches(context.setupCode, setup_code) && !(await anyUserExists(db.read))) {
        throw new ForbiddenError('The setup code is missing or wrong. You’ll find it in the terminal or log of the server.');
      }
      const owner = { username, email, password };
      const user = await createOwner(db.as(caller), owner, (work) => settings.changeWith(caller, site_name ? { site_name } : {}, work));
      await signIn(context, { actor, request, response }, { user, method: 'password' });
      return { user: presentUser(user) };
    }),

    bind(api.register, async ({ body, actor, request, response }) => {
      const origin = auditOrigin({ actor, request });
      const user = await registration.register(settings.current().registration_mode, body, origin, leaving(response));
      return signInByPassword(context, user, { actor, request, response });
    }),

    bind(api.checkInvite, async ({ body, actor, request }) => {
      const { address } = auditOrigin({ actor, request });
      await registration.checkInvite(settings.current().registration_mode, body.invite, address);
      return {};
    }),

    bind(api.login, async ({ body, actor, request, response }) => {
      const user = await logIn(db, passwordGuard, noteFailure, {
        ...body,
        origin: auditOrigin({ actor, request }),
        signal: leaving(response),
        deviceOf: (user) => knownDevice(secrets, request, user),
      });
      return signInByPassword(context, user, { actor, request, response });
    }),

    bind(api.logout, async ({ actor, caller, request, response }) => {
      if (actor.kind === 'member' && actor.via === 'session') await closeSession(db.as(caller), actor.id);
      clearSessionCookie(request, response);
      return {};
    }),

    bind(api.getSession, async ({ actor }) => ({
      user: actor.kind === 'member' && actor.via === 'session' ? presentUser(actor.user) : null,
    })),

    ...secondStepRoutes(context, createCodeGuard(limits)),
  ];
}
