import type { Request } from 'express';
import * as api from '#api/auth/two-factor.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { anyone } from '#server/core/accounts/authorize.ts';
import { knownDevice } from '#server/core/accounts/known-device.ts';
import { hasSecondFactor } from '#server/core/accounts/passkeys.ts';
import { createFailureNotes, type SignInRequest, signIn } from '#server/core/accounts/sign-in.ts';
import { spendCode, twoFactorOf } from '#server/core/accounts/two-factor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { RequestError, UnauthorizedError } from '#server/platform/base/errors.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { presentUser } from '../present-user.ts';
import type { CodeGuard } from './code-guard.ts';
import { acceptOffer, makeOffer } from './offer.ts';
import { clearStepCookie, readStepCookie } from './step-cookie.ts';
import { turnOn } from './turn-on.ts';

/** The second step of signing in with a password. */
export function secondStepRoutes(context: Context, codeGuard: CodeGuard) {
  const { db, secrets, settings, limits } = context;
  const noteFailure = createFailureNotes(db, limits);

  async function userOf(request: Request): Promise<UserRow> {
    const user = await readStepCookie(db.read, secrets, request);
    if (!user) throw new UnauthorizedError('Your sign-in timed out. Enter your password again.');
    return user;
  }

  /** The same for an account without a second factor: only its first one may be set up with nothing but the password. */
  async function newcomerOf(request: Request): Promise<UserRow> {
    const user = await userOf(request);
    if (await hasSecondFactor(db.read, user.id)) throw new UnauthorizedError('The account already has a second factor. Use it to sign in.');
    return user;
  }

  async function wrongCode(user: UserRow, { actor, request }: SignInRequest) {
    await noteFailure(auditOrigin({ actor, request }), { method: 'password', account: user.username, reason: 'wrong_code' });
    return new RequestError('wrong_code', 'This code isn’t valid. Enter the current one, or an unused recovery code.', { field: 'code' });
  }

  return [
    bind(api.sendCode, async ({ body, ...visit }) => {
      const user = await userOf(visit.request);
      // Before the second factor was turned on, the password alone was enough to become a known device.
      const { enabledAt } = await twoFactorOf(db.read, user.id);
      const device = knownDevice(secrets, visit.request, user, enabledAt ?? 0);
      const check = () =>
        db.as('note').write((queries) => spendCode(queries, secrets, { userId: user.id, typed: body.code, now: Date.now() }));
      const second = await codeGuard.check(user.id, device && `device ${device}`, check);
      if (!second) throw await wrongCode(user, visit);
      await signIn(context, visit, { user, method: 'password', second });
      clearStepCookie(visit.request, visit.response);
      return { user: presentUser(user) };
    }),

    bind(api.beginEnrolment, async ({ request }) => makeOffer(secrets, await newcomerOf(request), settings.current().site_name)),

    bind(api.completeEnrolment, async ({ body, ...visit }) => {
      const user = await newcomerOf(visit.request);
      const accepted = acceptOffer(secrets, user.id, body);
      if (!accepted) throw await wrongCode(user, visit);
      const recovery_codes = await turnOn({ db: db.as(anyone), secrets }, { user, accepted, origin: auditOrigin(visit) });
      await signIn(context, visit, { user, method: 'password', second: 'code' });
      clearStepCookie(visit.request, visit.response);
      return { user: presentUser(user), recovery_codes };
    }),
  ];
}
