import type { DevicePoll } from '#api/auth/devices.ts';
import * as api from '#api/auth/devices.ts';
import { HOUR, MINUTE } from '#api/durations.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { anyone, memberOf } from '#server/core/accounts/authorize.ts';
import { issueToken, revokeToken } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { bind } from '#server/core/routes.ts';
import { InvalidRequestError, NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { isSameNetwork, networkOf } from '#server/platform/base/network-of.ts';
import type { Author, Database, Queries } from '#server/platform/db/database.ts';
import { requirePoint } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { createDeviceRequests, type DeviceRequests, type PendingDevice, type WantedToken } from './requests.ts';

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

const REQUESTS_PER_HOUR = 60;
/** A device that polls as it should sends 20 a minute. */
const POLLS_PER_MINUTE = 120;
const WRONG_CODES = { points: 20, duration: 5 * MINUTE, durable: true };

/** Devices that ask for a token, and the users who decide. */
interface Devices {
  /** @throws RequestError `rate_limited` */
  request(device: WantedToken, address: string): ReturnType<DeviceRequests['open']>;
  /** @throws NotFoundError when no request waits under this code, RequestError `rate_limited` after too many wrong codes */
  find(userId: number, code: string): Promise<PendingDevice>;
  /** Approves or denies a request for the user; the device gets the token with its next poll. @throws like `find` */
  decide(author: Author, userId: number, code: string, decision: 'approve' | 'deny', origin: AuditOrigin): Promise<void>;
  /** @throws RequestError `rate_limited` */
  poll(deviceCode: string, address: string): Promise<DevicePoll>;
}

function createDevices(db: Database, limits: Limits): Devices {
  const requests = createDeviceRequests(db);
  const asked = limits.counter('requests of devices', { points: REQUESTS_PER_HOUR, duration: HOUR });
  const polls = limits.counter('polls of devices', { points: POLLS_PER_MINUTE, duration: MINUTE });
  const wrongCodes = limits.counter('wrong codes of devices', WRONG_CODES);

  /** Takes a look-up and counts a wrong code. Each is counted before its look-up, so parallel guesses all count. */
  async function tryCode(userId: number, look: () => Promise<PendingDevice | undefined>): Promise<PendingDevice> {
    await requirePoint(wrongCodes, String(userId), 'Too many wrong codes.');
    const found = await look();
    if (!found) throw new NotFoundError('No device is showing this code. Check the code, or get a new one on the device.');
    await wrongCodes.reward(String(userId));
    return found;
  }

  return {
    async request(device, address) {
      await requirePoint(asked, networkOf(address), 'Too many requests from your address.');
      return requests.open(device, address);
    },
    find: (userId, code) => tryCode(userId, () => requests.find(code)),
    async decide(author, userId, code, decision, origin) {
      const approved = decision === 'approve';
      const action = approved ? 'device.approved' : 'device.denied';
      const decide = async (queries: Queries) => {
        const decided = await requests.decide(queries, code, approved ? { userId } : 'denied');
        if (decided)
          await recordAudit(queries, origin, { action, target: decided.name, details: { address: decided.address, scope: decided.scope } });
        return decided;
      };
      await tryCode(userId, () => db.as(author).write(decide));
    },
    async poll(deviceCode, address) {
      await requirePoint(polls, networkOf(address), 'Too many requests from your address.');
      return db.as(anyone).write(async (queries) => {
        const result = await requests.poll(queries, deviceCode);
        if (result.state !== 'approved') return result;
        const issued = await issueToken(queries, result);
        if (!issued) return { state: 'expired' };
        return { state: 'approved', token: issued.secret, scope: result.scope, username: issued.username };
      });
    },
  };
}
