import * as api from '#api/auth/two-factor.ts';
import { auditOrigin, type Member } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { confirmIdentity } from '#server/core/accounts/confirm-identity.ts';
import { rememberDevice } from '#server/core/accounts/known-device.ts';
import { hasTwoFactor, mustHaveTwoFactor, removeTwoFactor, renewRecoveryCodes, twoFactorOf } from '#server/core/accounts/two-factor.ts';
import type { Context } from '#server/core/context.ts';
import { recordAudit } from '#server/core/journal/audit.ts';
import { bind } from '#server/core/routes.ts';
import { ForbiddenError, RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { acceptOffer, makeOffer } from './offer.ts';
import { turnOn } from './turn-on.ts';

/** Two-factor authentication in the user's own settings. */
export function twoFactorRoutes({ db, secrets, settings, passwordGuard }: Context) {
  const isRequired = ({ user }: Member) => mustHaveTwoFactor(settings.current().two_factor_required, user);

  return [
    bind(api.getTwoFactor, async ({ actor }) => {
      const member = memberOf(actor);
      const { enabledAt, recoveryCodesLeft } = await twoFactorOf(db.read, member.user.id);
      return { enabled_at: toInstant(enabledAt), recovery_codes_left: recoveryCodesLeft, required: isRequired(member) };
    }),

    bind(api.offerTwoFactor, async ({ actor, body }) => {
      const member = memberOf(actor);
      if (member.user.password_hash === null)
        throw new RequestError(
          'conflict',
          'Your account has no password, so there’s nothing to protect with a code. Set a password first.',
          {
            problem: 'no_password',
          },
        );
      await confirmIdentity({ db, passwordGuard }, member, body.current_password);
      return makeOffer(secrets, member.user, settings.current().site_name);
    }),

    bind(api.enableTwoFactor, async ({ actor, caller, body, request, response }) => {
      const { user, id } = memberOf(actor);
      const accepted = acceptOffer(secrets, user.id, body);
      if (!accepted) throw new RequestError('wrong_code', 'This code isn’t valid. Enter the current one.', { field: 'code' });
      const recovery_codes = await turnOn(
        { db: db.as(caller), secrets },
        { user, accepted, origin: auditOrigin({ actor, request }), session: id },
      );
      rememberDevice(secrets, request, response, user);
      return { recovery_codes };
    }),

    bind(api.replaceRecoveryCodes, async ({ actor, caller, body, request }) => {
      const member = memberOf(actor);
      await confirmIdentity({ db, passwordGuard }, member, body.current_password);
      const recovery_codes = await db.as(caller).write(async (queries) => {
        await requireOn(queries, member);
        const target = member.user.username;
        await recordAudit(queries, auditOrigin({ actor, request }), { action: 'user.recovery_codes_replaced', target });
        return renewRecoveryCodes(queries, member.user.id);
      });
      return { recovery_codes };
    }),

    bind(api.disableTwoFactor, async ({ actor, caller, body, request }) => {
      const member = memberOf(actor);
      if (isRequired(member)) throw new ForbiddenError('This site requires two-factor authentication. You can move it to another app.');
      await confirmIdentity({ db, passwordGuard }, member, body.current_password);
      await db.as(caller).write(async (queries) => {
        if (!(await removeTwoFactor(queries, member.user.id))) return;
        const target = member.user.username;
        await recordAudit(queries, auditOrigin({ actor, request }), { action: 'user.two_factor_disabled', target });
      });
      return {};
    }),
  ];
}

async function requireOn(queries: Queries, { user }: Member) {
  if (!(await hasTwoFactor(queries, user.id)))
    throw new RequestError('conflict', 'Two-factor authentication is off.', { problem: 'two_factor_off' });
}
