import { EventEmitter } from 'node:events';
import { getLimits } from '#api/auth/user.ts';
import { ApiError } from '#api/client.ts';
import { type HostLimits, hostLimits, type JoinedHost } from '#api/desktop/joining.ts';
import type { Clock } from '#main/base/clock.ts';
import { Reason } from '#main/base/reasons.ts';
import type { JoinedRole } from '#main/base/role.ts';
import { mayLackLocalNetwork } from '#main/base/system/local-network.ts';
import type { Access, Account } from '#main/service/account.ts';
import { hostClient, identify } from './host-client.ts';

/** Between checks of a host that is unreachable, and of one that responded. */
export const LOOK_AGAIN_AFTER_MS = 10_000;
export const LOOK_AFTER_MS = 120_000;
/** The time for which a response counts as current: before an upload, an older one is checked. */
const FRESH_MS = 10_000;

/** What a server is called that has no name of its own. */
const UNNAMED = 'Pixdock';

/** The server's name in menus and questions: its address if it has none of its own, since the app has the same name. */
export const serverName = ({ name, url }: Pick<JoinedHost, 'name' | 'url'>) => (name === UNNAMED ? new URL(url).host : name);

/** The account on a joined host, which main reaches with its token. */
export interface JoinedAccount extends Account {
  host(): JoinedRole;
  /** `revoked`: the host refuses the token, until {@link connect} replaces it. `blocked`: it waits, perhaps for a permission of macOS. */
  condition(): JoinedHost['state'];
  /** What the host accepts, as it said last; undefined until then. */
  limits(): HostLimits | undefined;
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

/** What a check of the host's address finds; `other`: another Pixdock server, which never gets the token. */
type Found = 'ready' | 'unreachable' | 'blocked' | 'other' | 'revoked';

const REASONS = {
  ready: 'hostUnreachable',
  unreachable: 'hostUnreachable',
  blocked: 'localNetworkBlocked',
  other: 'hostDiffers',
  revoked: 'tokenRevoked',
} as const;

export function createJoinedAccount(options: Options): JoinedAccount {
  const { clock } = options;
  const events = new EventEmitter<{ change: [] }>();
  let { host, token } = options;
  let found: Found = token === undefined ? 'revoked' : 'unreachable';
  let looking: Promise<void> | undefined;
  let cancelLook = (): void => undefined;
  let lookedAt = 0;
  let limits: HostLimits | undefined;
  let left = false;

  function become(next: Found) {
    if (next === found) return;
    found = next;
    events.emit('change');
  }

  function planLook() {
    cancelLook();
    if (left || found === 'revoked') return;
    cancelLook = clock.after(found === 'ready' ? LOOK_AFTER_MS : LOOK_AGAIN_AFTER_MS, () => void look());
  }

  /** Identifies the host without the token first: on another network, its address may be that of another computer. */
  async function ask({ url, id }: JoinedRole, secret: string): Promise<Found> {
    try {
      const identity = await identify(url);
      if (!identity) return 'unreachable';
      if (identity.instance_id !== id) return 'other';
      limits = hostLimits.safeParse(await hostClient(url, secret).call(getLimits, {})).data;
      return 'ready';
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return 'revoked';
      if (mayLackLocalNetwork(error)) return 'blocked';
      return 'unreachable'; // away, starting, or something else responds at its address
    }
  }

  /** Asks whether the host is there and accepts the token; concurrent callers share one request. Never rejects. */
  function look(): Promise<void> {
    const used = token;
    if (used === undefined || left) return Promise.resolve();
    looking ??= ask(host, used).then((next) => {
      looking = undefined;
      lookedAt = clock.now();
      if (used !== token || left) return;
      become(next);
      planLook();
    });
    return looking;
  }

  const condition = () => (found === 'unreachable' || found === 'other' ? 'waiting' : found);

  async function access(): Promise<Access> {
    if ((found !== 'ready' && found !== 'revoked') || clock.now() - lookedAt > FRESH_MS) await look();
    if (token === undefined) throw new Reason('tokenRevoked');
    if (found !== 'ready') throw new Reason(REASONS[found]);
    return { url: host.url, headers: { authorization: `Bearer ${token}` }, linkAddress: host.url };
  }

  void look();
  return {
    id: () => `host:${host.id}`,
    name: () => `${host.username} · ${host.name}`,
    whyWaiting: () => new Reason(REASONS[found]),
    state: () => (found === 'ready' ? 'ready' : 'waiting'),
    host: () => host,
    condition,
    limits: () => limits,
    onChange(listener) {
      events.on('change', listener);
      return () => void events.off('change', listener);
    },
    access,
    async renew() {
      // The host has refused the token, or was away: another check shows which.
      await look();
      return access();
    },
    connect(next, secret) {
      host = next;
      token = secret;
      found = 'unreachable';
      events.emit('change');
      void look();
    },
    async leave() {
      left = true;
      cancelLook();
      if (token === undefined || found === 'revoked') return;
      try {
        if ((await identify(host.url))?.instance_id !== host.id) throw new Error('Another server responds at its address.');
        await options.revoke(host.url, token);
      } catch (error) {
        console.error('Couldn’t revoke this computer’s token on the server; it stays valid until revoked there:', error);
      }
    },
  };
}
