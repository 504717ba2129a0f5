import { EventEmitter } from 'node:events';
import type { AccountChoice } from '#api/desktop/account.ts';
import type { Clock } from '#main/base/clock.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import type { Access, Account } from './account.ts';
import type { AccountSession } from './server-messages.ts';
import type { ServiceProcess } from './server-process.ts';
import { type RunningService, runningService } from './service-url.ts';

/** The time that a request waits for a starting service. */
const SERVICE_LIMIT_MS = 30_000;
/** The time after which a missing account is looked for again: an admin may have enabled it. */
export const LOOK_AGAIN_AFTER_MS = 30_000;

/** The chosen account on the service that this app hosts. */
export interface LocalAccount extends Account {
  /** Whether the chosen account is disabled or gone. */
  missing(): boolean;
  /** The accounts that can be chosen. Rejects while the service isn't running. */
  choices(): Promise<AccountChoice[]>;
}

interface Options {
  service: Pick<ServiceProcess, 'status' | 'onStatus' | 'openAccount' | 'listAccounts'>;
  preferences: Pick<PreferenceStore, 'get' | 'onChange'>;
  /** The owner's name, in case the service has none yet. */
  username: string;
  clock: Clock;
}

/** A session that is being opened, or open. */
interface Opening {
  url: string;
  userId: number | null;
  session: Promise<AccountSession>;
}

/**
 * Main's own session, kept in memory only; each start replaces the last one. It comes over the private channel to the service:
 * never in an address, in arguments or in the environment. Signing in or out in the window doesn't affect it.
 */
export function createLocalAccount({ service, preferences, username, clock }: Options): LocalAccount {
  const events = new EventEmitter<{ change: [] }>();
  let opening: Opening | undefined;
  let user: AccountSession['user'] | undefined;
  let missing = false;
  let chosen = preferences.get().account;
  let renewing: Promise<Access> | undefined;
  let cancelLook = (): void => undefined;

  function become(next: { user?: AccountSession['user']; missing: boolean }) {
    const same = next.missing === missing && next.user?.id === user?.id && next.user?.username === user?.username;
    ({ user, missing } = next);
    if (!same) events.emit('change');
  }

  async function open(userId: number | null): Promise<AccountSession> {
    const session = await service.openAccount(userId, username).catch((error: unknown) => {
      throw new Reason('serviceUnreachable', { cause: error });
    });
    if (!session) throw new Reason('accountMissing');
    return session;
  }

  /** Shares one session between concurrent requests; one that could not be opened is asked for again. */
  function currentSession({ url }: RunningService): Opening {
    if (opening?.url !== url || opening.userId !== chosen) opening = { url, userId: chosen, session: open(chosen) };
    return opening;
  }

  async function access(): Promise<Access> {
    const running = await runningService(service, SERVICE_LIMIT_MS);
    const mine = currentSession(running);
    const settled = await settle(mine.session);
    if (opening !== mine && opening !== undefined) return access(); // another account was chosen, or the session renewed
    if ('error' in settled) {
      opening = undefined; // the next request tries again
      fail(settled.error);
      throw settled.error;
    }
    cancelLook();
    become({ user: settled.value.user, missing: false });
    const { name, value } = settled.value.cookie;
    return { url: running.url, headers: { cookie: `${name}=${value}` }, linkAddress: running.linkAddress };
  }

  function fail(error: unknown) {
    if (!(error instanceof Reason) || error.text !== 'accountMissing') return;
    become({ missing: true });
    cancelLook();
    cancelLook = clock.after(LOOK_AGAIN_AFTER_MS, look);
  }

  /** Learns who the account is. */
  function look() {
    if (service.status().state !== 'running') return;
    access().catch((error: unknown) => console.error('Couldn’t open the account for uploads:', error));
  }

  service.onStatus(({ state }) => {
    // Sessions may end with the service: a restored backup ends them all.
    if (state !== 'running') opening = undefined;
    events.emit('change');
    look();
  });
  preferences.onChange(({ account }) => {
    if (account === chosen) return;
    chosen = account;
    become({ missing: false });
    look();
  });
  look();

  return {
    id() {
      const id = chosen ?? user?.id;
      return id === undefined ? undefined : `local:${id}`;
    },
    name: () => user?.username,
    state: () => (service.status().state === 'running' && user !== undefined && !missing ? 'ready' : 'waiting'),
    missing: () => missing,
    choices: () => service.listAccounts(),
    onChange(listener) {
      events.on('change', listener);
      return () => void events.off('change', listener);
    },
    access,
    renew() {
      if (!renewing) opening = undefined;
      renewing ??= access().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

async function settle<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}
