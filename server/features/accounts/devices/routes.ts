import * as api from '#api/auth/devices.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { revokeToken } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { isSameNetwork } from '#server/platform/base/network-of.ts';
import { createDevices } from './devices.ts';
import type { PendingDevice } from './requests.ts';

export function deviceRoutes({ db, links, limits }: Context) {
  const devices = createDevices(db, limits);
  return [
    bind(api.requestDevice, async ({ actor, body }) => {
      const { deviceCode, userCode, interval, expiresIn } = await devices.request(body, actor.address);
      // The code is behind the `#`, so that it stays out of logs.
      const verify_url = `${links.address()}/connect#code=${userCode}`;
      return { device_code: deviceCode, user_code: userCode, verify_url, interval, expires_in: expiresIn };
    }),

    bind(api.findDeviceRequest, async ({ actor, body }) => {
      const device = await devices.find(memberOf(actor).user.id, body.user_code);
      return { ...present(device), same_network: isSameNetwork(device.address, actor.address) };
    }),

    bind(api.decideDeviceRequest, async ({ actor, caller, body, request }) => {
      await devices.decide(caller, memberOf(actor).user.id, body.user_code, body.decision, auditOrigin({ actor, request }));
      return {};
    }),

    bind(api.pollDevice, ({ actor, body }) => devices.poll(body.device_code, actor.address)),

    bind(api.giveUpToken, async ({ actor, caller }) => {
      const { user, via, id } = memberOf(actor);
      if (via !== 'token') throw new InvalidRequestError('This request has no token.');
      await revokeToken(db.as(caller), user.id, id);
      return {};
    }),
  ];
}

function present({ name, scope, userCode, address, createdAt, expiresAt }: PendingDevice) {
  return { name, scope, user_code: userCode, address, created_at: toInstant(createdAt), expires_at: toInstant(expiresAt) };
}
