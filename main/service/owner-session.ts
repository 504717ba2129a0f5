import type { Cookies } from 'electron';
import { getSession } from '#api/auth.ts';
import { ApiError, createClient } from '#api/client.ts';
import type { ServiceProcess } from './server-process.ts';
import { serviceUrl } from './service-url.ts';

/** How long an upload waits for a service that is starting, in milliseconds. */
const SERVICE_LIMIT = 30_000;

/** Where the service is, and the Cookie header that makes a request the owner's. */
export interface OwnerAccess {
  url: string;
  cookie: string;
}

/** The owner's session in the window's cookie store, used by the window and by main's own requests. */
export interface OwnerSession {
  /** Waits for the service and makes sure that the store holds a session of the owner. */
  forService(): Promise<OwnerAccess>;
  /** The same with a session that is new in any case. */
  renew(): Promise<OwnerAccess>;
}

/** Asks the service something as the owner; a session that has ended in the meantime is opened anew, once. */
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
  /** Name of the owner, if the service has none yet. */
  username: string;
}

/** Sessions come over the private channel to the service: nothing of them is in an address, in arguments or in the environment. */
export function createOwnerSession({ service, cookies, username }: Options): OwnerSession {
  let current: { url: string; ready: Promise<void> } | undefined;
  // A session may not outlive the service: a restored backup ends them all.
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

  /** The session of the last start serves again, so that starts do not pile up sessions. */
  async function reuseOrOpen(url: string) {
    const cookie = await header(url);
    if (cookie) {
      const { user } = await createClient({ baseUrl: url }).call(getSession, { headers: { cookie } });
      if (user?.is_owner) return;
    }
    await open(url);
  }

  async function ensure(prepare: (url: string) => Promise<void>, anew: boolean): Promise<OwnerAccess> {
    const url = await serviceUrl(service, SERVICE_LIMIT);
    const preparation = !anew && current?.url === url ? current : { url, ready: prepare(url) };
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
      return access.cookie ? access : renew(); // somebody has signed out in the window
    },
  };
}
