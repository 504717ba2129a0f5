import { setTimeout as delay } from 'node:timers/promises';
import type { Cookies, CookiesSetDetails } from 'electron';
import { getSession } from '#api/auth/auth.ts';
import { createClient } from '#api/client.ts';
import type { ServiceProcess } from './server-process.ts';
import { serviceUrl } from './service-url.ts';

/** The time that the window waits for a starting service. */
const SERVICE_LIMIT_MS = 30_000;
/** The time before the cookie store is asked again. */
const STORE_PAUSE_MS = 500;

/** The session in the window's cookie store. Main's own requests never use it: see {@link Account}. */
export interface WindowSession {
  /** Waits for the service, signs the owner in unless someone already is, and resolves to the service's address. */
  forService(): Promise<string>;
  /** Does so once more, for a user who has signed out. */
  signIn(): Promise<void>;
}

interface Options {
  service: Pick<ServiceProcess, 'status' | 'onStatus' | 'openSession'>;
  cookies: Pick<Cookies, 'get' | 'set'>;
  /** The owner's name, in case the service has none yet. */
  username: string;
}

/** Sessions come over the private channel to the service: never in an address, in arguments or in the environment. */
export function createWindowSession({ service, cookies, username }: Options): WindowSession {
  let current: { url: string; ready: Promise<void> } | undefined;
  // Sessions may end with the service: a restored backup ends them all.
  service.onStatus(({ state }) => {
    if (state !== 'running') current = undefined;
  });

  async function open(url: string) {
    const { name, value, expires } = await service.openSession(username);
    const expirationDate = Date.parse(expires) / 1000;
    await store({ url, name, value, path: '/', httpOnly: true, sameSite: 'lax', expirationDate });
  }

  /** Stores the cookie, and tries once more if the store refuses: otherwise the service would be blamed, and restarted. */
  async function store(cookie: CookiesSetDetails) {
    try {
      await cookies.set(cookie);
    } catch (error) {
      console.error('Couldn’t store the window’s cookie:', error);
      await delay(STORE_PAUSE_MS);
      await cookies.set(cookie);
    }
  }

  /** Keeps the session of the last start, so that sessions don't accumulate and another user stays signed in. */
  async function reuseOrOpen(url: string) {
    const found = await cookies.get({ url });
    const cookie = found.map(({ name, value }) => `${name}=${value}`).join('; ');
    if (cookie) {
      const { user } = await createClient({ baseUrl: url }).call(getSession, { headers: { cookie } });
      if (user) return;
    }
    await open(url);
  }

  return {
    signIn: async () => reuseOrOpen(await serviceUrl(service, SERVICE_LIMIT_MS)),
    async forService() {
      const url = await serviceUrl(service, SERVICE_LIMIT_MS);
      const preparation = current?.url === url ? current : { url, ready: reuseOrOpen(url) };
      current = preparation;
      try {
        await preparation.ready;
      } catch (error) {
        if (current === preparation) current = undefined;
        throw error;
      }
      return url;
    },
  };
}
