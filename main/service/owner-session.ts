import type { Cookies } from 'electron';
import { getSession } from '#api/auth.ts';
import { ApiError, createClient } from '#api/client.ts';
import type { ServiceProcess } from './server-process.ts';
import { serviceUrl } from './service-url.ts';

/** Milliseconds that an upload waits for a starting service. */
const SERVICE_LIMIT = 30_000;

/** The service's address, and the Cookie header of the owner's session. */
export interface OwnerAccess {
  url: string;
  cookie: string;
}

/** The owner's session in the window's cookie store, used by the window and by main's own requests. */
export interface OwnerSession {
  /** Waits for the service and ensures that the store holds a session of the owner. */
  forService(): Promise<OwnerAccess>;
  /** The same with a new session. */
  renew(): Promise<OwnerAccess>;
}

/** Sends a request as the owner; if the session has ended, it opens a new one and retries once. */
export async function asOwner<T>(owner: OwnerSession, ask: (access: OwnerAccess) => Promise<T>): Promise<T> {
  try {
    return await ask(await owner.forService());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return ask(await owner.renew());
    throw error;
  }
}

interface Options {
  service: Pick<ServiceProcess, 'status' | 'onStatus' | 'openSession'>;
  cookies: Pick<Cookies, 'get' | 'set'>;
  /** The owner's name, in case the service has none yet. */
  username: string;
}

/** Sessions come over the private channel to the service: never in an address, in arguments or in the environment. */
export function createOwnerSession({ service, cookies, username }: Options): OwnerSession {
  let current: { url: string; ready: Promise<void> } | undefined;
  // Sessions may end with the service: a restored backup ends them all.
  service.onStatus(({ state }) => {
    if (state !== 'running') current = undefined;
  });

  async function header(url: string) {
    const found = await cookies.get({ url });
    return found.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async function open(url: string) {
    const { name, value, expires } = await service.openSession(username);
    const expirationDate = Date.parse(expires) / 1000;
    await cookies.set({ url, name, value, path: '/', httpOnly: true, sameSite: 'lax', expirationDate });
  }

  /** Reuses the session of the last start, so that sessions don't accumulate. */
  async function reuseOrOpen(url: string) {
    const cookie = await header(url);
    if (cookie) {
      const { user } = await createClient({ baseUrl: url }).call(getSession, { headers: { cookie } });
      if (user?.is_owner) return;
    }
    await open(url);
  }

  async function ensure(prepare: (url: string) => Promise<void>, renew: boolean): Promise<OwnerAccess> {
    const url = await serviceUrl(service, SERVICE_LIMIT);
    const preparation = !renew && current?.url === url ? current : { url, ready: prepare(url) };
    current = preparation;
    try {
      await preparation.ready;
    } catch (error) {
      if (current === preparation) current = undefined;
      throw error;
    }
    return { url, cookie: await header(url) };
  }

  const renew = () => ensure(open, true);
  return {
    renew,
    async forService() {
      const access = await ensure(reuseOrOpen, false);
      return access.cookie ? access : renew(); // the user signed out in the window
    },
  };
}
