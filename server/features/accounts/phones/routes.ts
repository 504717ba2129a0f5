import * as api from '#api/auth/phones.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { createPhones } from './phones.ts';

export function phoneRoutes({ db, links, limits }: Context) {
  const phones = createPhones(db, limits);
  return [
    bind(api.createPhoneCode, async ({ actor, caller }) => {
      const { code, expiresIn } = await phones.createCode(caller, memberOf(actor).user.id);
      // The code is behind the `#`, so that it stays out of logs.
      return { code, url: `${links.address()}/phone#code=${code}`, expires_in: expiresIn };
    }),

    bind(api.findPhone, ({ actor, body }) => phones.find(memberOf(actor).user.id, body.code)),

    bind(api.decidePhone, async ({ actor, caller, body, request }) => {
      const { code, check_code: checkCode, decision } = body;
      await phones.decide(caller, memberOf(actor).user.id, { code, checkCode, decision }, auditOrigin({ actor, request }));
      return {};
    }),

    bind(api.requestPhone, async ({ actor, body }) => {
      const asked = await phones.request(body.code, body.name, actor.address);
      if (asked.state !== 'asking') return { state: asked.state };
      const { state, phoneCode, checkCode, interval, expiresIn } = asked;
      return { state, phone_code: phoneCode, check_code: checkCode, interval, expires_in: expiresIn };
    }),

    bind(api.pollPhone, ({ actor, body }) => phones.poll(body.phone_code, actor.address)),
  ];
}
