import { MINUTE_MS } from '#api/durations.ts';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { newReadableCode, normalCode } from '#server/platform/base/readable-code.ts';
import { hashSecret, randomSecret } from '#server/platform/base/secret-text.ts';

const LIFETIME_MS = 10 * MINUTE_MS;
/** Seconds between two polls, at first. */
const INTERVAL = 3;
/** RFC 8628, section 3.5: each poll that comes too early adds five seconds. */
const SLOW_DOWN = 5;
/** How much earlier a poll may arrive: clocks and networks aren't exact. */
const TOLERANCE_MS = 1_000;

export const MAX_PENDING = 200;
export const MAX_PENDING_PER_NETWORK = 10;

/** A device that waits for a token. */
export interface PendingDevice {
  name: string;
  userCode: string;
  /** Where the request came from. */
  address: string;
  createdAt: number;
  expiresAt: number;
}

/** A user's decision: denied, or the account that gets the token. */
type Decision = 'denied' | { userId: number };

interface Entry extends PendingDevice {
  interval: number;
  lastPoll: number;
  decision?: Decision;
}

type Poll = { state: 'pending' | 'slow_down' | 'denied' | 'expired' } | { state: 'approved'; name: string; userId: number };

/**
 * The requests that wait for a decision or for their device. Kept in memory only, so that anonymous callers can't fill the
 * database; a restart ends them, and the device asks again.
 */
export interface DeviceRequests {
  /** @throws RequestError `rate_limited` when too many wait, of this network or altogether */
  open(name: string, address: string): { deviceCode: string; userCode: string; interval: number; expiresIn: number };
  /** The undecided request with a typed code. */
  find(typed: string): PendingDevice | undefined;
  /** Decides a request; undefined when none waits under this code. */
  decide(typed: string, decision: Decision): PendingDevice | undefined;
  /** What the device learns; a decision is returned once. */
  poll(deviceCode: string): Poll;
}

export function createDeviceRequests(): DeviceRequests {
  /** By the hash of the device code: only the device knows the code itself. */
  const entries = new Map<string, Entry>();

  function forgetExpired(now: number) {
    for (const [hash, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(hash);
  }

  function undecided(typed: string): Entry | undefined {
    const wanted = normalCode(typed);
    forgetExpired(Date.now());
    return [...entries.values()].find(({ userCode, decision }) => decision === undefined && normalCode(userCode) === wanted);
  }

  function newUserCode(): string {
    const taken = new Set([...entries.values()].map(({ userCode }) => userCode));
    for (;;) {
      const code = newReadableCode(2);
      if (!taken.has(code)) return code;
    }
  }

  return {
    open(name, address) {
      const now = Date.now();
      forgetExpired(now);
      refuseWhenFull(entries.values(), address, now);
      const deviceCode = randomSecret();
      const userCode = newUserCode();
      const expiresAt = now + LIFETIME_MS;
      entries.set(hashSecret(deviceCode), { name, userCode, address, createdAt: now, expiresAt, interval: INTERVAL, lastPoll: now });
      return { deviceCode, userCode, interval: INTERVAL, expiresIn: LIFETIME_MS / 1000 };
    },
    find: undecided,
    decide(typed, decision) {
      const entry = undecided(typed);
      if (entry) entry.decision = decision;
      return entry;
    },
    poll(deviceCode) {
      const now = Date.now();
      forgetExpired(now);
      const hash = hashSecret(deviceCode);
      const entry = entries.get(hash);
      if (!entry) return { state: 'expired' };
      const tooEarly = now - entry.lastPoll < entry.interval * 1000 - TOLERANCE_MS;
      entry.lastPoll = now;
      if (tooEarly) {
        entry.interval += SLOW_DOWN;
        return { state: 'slow_down' };
      }
      if (!entry.decision) return { state: 'pending' };
      entries.delete(hash);
      if (entry.decision === 'denied') return { state: 'denied' };
      return { state: 'approved', name: entry.name, userId: entry.decision.userId };
    },
  };
}

function refuseWhenFull(entries: Iterable<Entry>, address: string, now: number) {
  const all = [...entries];
  const own = all.filter((entry) => networkOf(entry.address) === networkOf(address));
  const crowd = own.length >= MAX_PENDING_PER_NETWORK ? own : all.length >= MAX_PENDING ? all : undefined;
  if (!crowd) return;
  const soonest = Math.min(...crowd.map(({ expiresAt }) => expiresAt));
  throw tooManyRequests('Too many devices are waiting for approval.', soonest - now);
}
