import { SLOW_DOWN_SECONDS } from '#api/auth/devices.ts';
import { MINUTE_MS } from '#api/durations.ts';
import { anyone } from '#server/core/accounts/authorize.ts';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { networkOf, siteOf } from '#server/platform/base/network-of.ts';
import { newReadableCode, shownCode } from '#server/platform/base/readable-code.ts';
import { hashSecret, randomSecret } from '#server/platform/base/secret-text.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { DeviceRequestRow } from '#server/platform/db/schema/accounts.ts';

const LIFETIME_MS = 10 * MINUTE_MS;
/** Seconds between two polls, at first. */
const INTERVAL = 3;
/** How much earlier a poll may arrive: clocks and networks aren't exact. */
const TOLERANCE_MS = 1_000;

export const MAX_PENDING = 200;
export const MAX_PENDING_PER_NETWORK = 10;
/** Far fewer than all, so that the many networks of one customer can't keep everyone else out. */
export const MAX_PENDING_PER_SITE = 30;

/** The name of a device and of the token that it asks for, and what that may do. */
export type WantedToken = Pick<DeviceRequestRow, 'name' | 'scope'>;

/** A device that waits for a token. */
export interface PendingDevice extends WantedToken {
  userCode: string;
  /** Where the request came from. */
  address: string;
  createdAt: number;
  expiresAt: number;
}

/** A user's decision: denied, or the account that gets the token. */
type Decision = 'denied' | { userId: number };

type Poll = { state: 'pending' | 'slow_down' | 'denied' | 'expired' } | ({ state: 'approved'; userId: number } & WantedToken);

/** The requests that wait for a decision or for their device. There are never more than {@link MAX_PENDING}. */
export interface DeviceRequests {
  /** @throws RequestError `rate_limited` when too many wait, of this network, its site or altogether */
  open(device: WantedToken, address: string): Promise<{ deviceCode: string; userCode: string; interval: number; expiresIn: number }>;
  /** The undecided request with a typed code. */
  find(typed: string): Promise<PendingDevice | undefined>;
  /** Decides a request, in the caller's unit of writing; undefined when none waits under this code. */
  decide(queries: Queries, typed: string, decision: Decision): Promise<PendingDevice | undefined>;
  /** What the device learns; a decision is returned once. Runs in the caller's unit of writing. */
  poll(queries: Queries, deviceCode: string): Promise<Poll>;
}

export function createDeviceRequests(db: Database): DeviceRequests {
  return {
    open: ({ name, scope }, address) =>
      db.as(anyone).write(async (queries) => {
        const now = Date.now();
        await queries.deleteFrom('device_requests').where('expires_at', '<=', now).execute();
        refuseWhenFull(await queries.selectFrom('device_requests').select(['address', 'expires_at']).execute(), address, now);
        const deviceCode = randomSecret();
        const userCode = newReadableCode(2);
        const row = { code_hash: hashSecret(deviceCode), user_code: userCode, name, scope, address, created_at: now };
        await queries
          .insertInto('device_requests')
          .values({ ...row, expires_at: now + LIFETIME_MS, poll_seconds: INTERVAL, polled_at: now, user_id: null })
          .execute();
        return { deviceCode, userCode, interval: INTERVAL, expiresIn: LIFETIME_MS / 1000 };
      }),

    async find(typed) {
      const row = await undecided(db.read, typed);
      return row && present(row);
    },

    async decide(queries, typed, decision) {
      const row = await undecided(queries, typed);
      if (!row) return undefined;
      const change = decision === 'denied' ? { denied: 1 as const } : { user_id: decision.userId };
      await queries.updateTable('device_requests').set(change).where('code_hash', '=', row.code_hash).execute();
      return present(row);
    },

    async poll(queries, deviceCode) {
      const now = Date.now();
      const code_hash = hashSecret(deviceCode);
      const row = await queries
        .selectFrom('device_requests')
        .selectAll()
        .where('code_hash', '=', code_hash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return { state: 'expired' };
      const isEarly = now - row.polled_at < row.poll_seconds * 1000 - TOLERANCE_MS;
      if (isEarly || isUndecided(row)) {
        const poll_seconds = row.poll_seconds + (isEarly ? SLOW_DOWN_SECONDS : 0);
        await queries.updateTable('device_requests').set({ polled_at: now, poll_seconds }).where('code_hash', '=', code_hash).execute();
        return { state: isEarly ? 'slow_down' : 'pending' };
      }
      await queries.deleteFrom('device_requests').where('code_hash', '=', code_hash).execute();
      const { user_id: userId, name, scope } = row;
      return userId === null ? { state: 'denied' } : { state: 'approved', userId, name, scope };
    },
  };
}

const isUndecided = ({ denied, user_id }: Pick<DeviceRequestRow, 'denied' | 'user_id'>) => denied === 0 && user_id === null;

function undecided(queries: Queries, typed: string): Promise<DeviceRequestRow | undefined> {
  return queries
    .selectFrom('device_requests')
    .selectAll()
    .where('user_code', '=', shownCode(typed))
    .where('expires_at', '>', Date.now())
    .where('denied', '=', 0)
    .where('user_id', 'is', null)
    .executeTakeFirst();
}

const present = ({ name, scope, user_code, address, created_at, expires_at }: DeviceRequestRow): PendingDevice => ({
  name,
  scope,
  userCode: user_code,
  address,
  createdAt: created_at,
  expiresAt: expires_at,
});

function refuseWhenFull(all: readonly Pick<DeviceRequestRow, 'address' | 'expires_at'>[], address: string, now: number) {
  const network = networkOf(address);
  const ofSite = all.filter((row) => siteOf(networkOf(row.address)) === siteOf(network));
  const ofNetwork = ofSite.filter((row) => networkOf(row.address) === network);
  const crowds = [
    { rows: ofNetwork, limit: MAX_PENDING_PER_NETWORK },
    { rows: ofSite, limit: MAX_PENDING_PER_SITE },
    { rows: all, limit: MAX_PENDING },
  ];
  const crowd = crowds.find(({ rows, limit }) => rows.length >= limit)?.rows;
  if (!crowd) return;
  const soonest = Math.min(...crowd.map(({ expires_at }) => expires_at));
  throw tooManyRequests('Too many devices are waiting for approval.', soonest - now);
}
