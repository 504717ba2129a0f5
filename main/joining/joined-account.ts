import { EventEmitter } from 'node:events';
import { ApiError } from '#api/client.ts';
import { getLimits } from '#api/limits.ts';
import type { Clock } from '#main/base/clock.ts';
import { Reason } from '#main/base/reasons.ts';
import type { JoinedRole } from '#main/base/role.ts';
import type { Access, Account } from '#main/service/account.ts';
import { hostClient } from './host-client.ts';

/** Milliseconds between two looks at a host that is away, and at one that responded. */
export const LOOK_AGAIN_AFTER = 10_000;
export const LOOK_AFTER = 120_000;
/** Milliseconds for which a response counts as current: before an upload, an older one is checked. */
const FRESH = 10_000;

/** The account on a joined host, which main reaches with its token. */
export interface JoinedAccount extends Account {
  host(): JoinedRole;
  /** `revoked`: the host refuses the token, until {@link connect} replaces it. */
  condition(): 'ready' | 'waiting' | 'revoked';
  /** Uses another token, and the address or name that the host has now. */
  connect(host: JoinedRole, token: string): void;
  /** Revokes the token on the host, if it can be reached now, and stops asking it. Never rejects. */
  leave(): Promise<void>;
}

interface Options {
  host: JoinedRole;
  /** Undefined if it could not be read: counts as revoked. */
  token: string | undefined;
  clock: Clock;
  /** Revokes the token that the client carries; replaced in tests. */
  revoke(url: string, token: string): Promise<unknown>;
}

export function createJoinedAccount(options: Options): JoinedAccount {
  const { clock } = options;
  const events = new EventEmitter<{ change: [] }>();
  let { host, token } = options;
  let condition: 'ready' | 'waiting' | 'revoked' = token === undefined ? 'revoked' : 'waiting';
  let looking: Promise<void> | undefined;
  let cancelLook = (): void => undefined;
  let lookedAt = 0;
  let left = false;

  function become(next: typeof condition) {
    if (next === condition) return;
    condition = next;
    events.emit('change');
  }

  function planLook() {
    cancelLook();
    if (left || condition === 'revoked') return;
    cancelLook = clock.after(condition === 'ready' ? LOOK_AFTER : LOOK_AGAIN_AFTER, () => void look());
  }

  async function ask(url: string, secret: string): Promise<typeof condition> {
    try {
      await hostClient(url, secret).call(getLimits, {});
      return 'ready';
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return 'revoked';
      return 'waiting'; // away, starting, or something else responds at its address
    }
  }

  /** Asks whether the host is there and accepts the token; concurrent callers share one request. Never rejects. */
  function look(): Promise<void> {
    const used = token;
    if (used === undefined || left) return Promise.resolve();
    looking ??= ask(host.url, used).then((found) => {
      looking = undefined;
      lookedAt = clock.now();
      if (used !== token || left) return;
      become(found);
      planLook();
    });
    return looking;
  }

  async function access(): Promise<Access> {
    if (condition === 'waiting' || clock.now() - lookedAt > FRESH) await look();
    if (condition === 'revoked' || token === undefined) throw new Reason('tokenRevoked');
    if (condition === 'waiting') throw new Reason('hostUnreachable');
    return { url: host.url, headers: { authorization: `Bearer ${token}` }, linkAddress: host.url };
  }

  void look();
  return {
    id: () => `host:${host.id}`,
    name: () => `${host.username} · ${host.name}`,
    whyWaiting: () => new Reason(condition === 'revoked' ? 'tokenRevoked' : 'hostUnreachable'),
    state: () => (condition === 'ready' ? 'ready' : 'waiting'),
    host: () => host,
    condition: () => condition,
    onChange(listener) {
      events.on('change', listener);
      return () => void events.off('change', listener);
    },
    access,
    async renew() {
      // The host has refused the token, or was away: a fresh look tells which.
      await look();
      return access();
    },
    connect(next, secret) {
      host = next;
      token = secret;
      condition = 'waiting';
      events.emit('change');
      void look();
    },
    async leave() {
      left = true;
      cancelLook();
      if (token === undefined || condition === 'revoked') return;
      await options
        .revoke(host.url, token)
        .catch((error: unknown) => console.error('The host could not be told; its token stays valid until revoked there:', error));
    },
  };
}
