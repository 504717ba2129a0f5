import { setTimeout as delay } from 'node:timers/promises';
import type { Cookie, Cookies, CookiesGetFilter, CookiesSetDetails, Session } from 'electron';
import { requireReady } from '#test/desktop/double/machine.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { devtools } from './chromium.ts';
import { Permissions } from './permissions.ts';

const SAME_SITE = { Lax: 'lax', Strict: 'strict', None: 'no_restriction' } as const;
const TO_CHROMIUM = { lax: 'Lax', strict: 'Strict', no_restriction: 'None', unspecified: 'Lax' } as const;

/** Milliseconds that a slow cookie store takes. */
const SLOW_COOKIES = 400;
let wasRefused = false;

async function hostileCookies(isWriting: boolean) {
  if (isHostile('cookies-slow')) await delay(SLOW_COOKIES);
  if (!isWriting || wasRefused || !isHostile('cookies-refused')) return;
  wasRefused = true;
  throw new Error('Failed to set cookie - the cookie store is not available');
}

/** Chromium's own cookie store, in Electron's words. */
const cookies = {
  async get({ url, name }: CookiesGetFilter): Promise<Cookie[]> {
    await hostileCookies(false);
    const { cookies: stored } = await devtools().browser.send('Storage.getCookies');
    return stored
      .filter((cookie) => (url === undefined || isSentTo(url, cookie)) && (name === undefined || cookie.name === name))
      .map(({ sameSite, expires, ...cookie }) => ({
        ...cookie,
        sameSite: sameSite ? SAME_SITE[sameSite] : 'unspecified',
        ...(expires > 0 ? { expirationDate: expires } : { session: true }),
      }));
  },
  async set({
    url,
    name = '',
    value = '',
    path = '/',
    httpOnly = false,
    secure = false,
    sameSite = 'lax',
    expirationDate,
  }: CookiesSetDetails) {
    await hostileCookies(true);
    const { hostname: domain } = new URL(url);
    const expires = expirationDate === undefined ? {} : { expires: expirationDate };
    const cookie = { domain, name, value, path, httpOnly, secure, sameSite: TO_CHROMIUM[sameSite], ...expires };
    await devtools().browser.send('Storage.setCookies', { cookies: [cookie] });
  },
} satisfies Pick<Cookies, 'get' | 'set'>;

/** A domain with a leading dot includes its subdomains. */
function isSentTo(url: string, { domain, path, secure }: { domain: string; path: string; secure: boolean }) {
  const { hostname, pathname, protocol } = new URL(url);
  const isDomain = domain.startsWith('.') ? `.${hostname}`.endsWith(domain) : hostname === domain;
  return isDomain && pathname.startsWith(path) && (!secure || protocol === 'https:');
}

type Doubled = 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDisplayMediaRequestHandler';

type DisplayMediaHandler = Parameters<Session['setDisplayMediaRequestHandler']>[0];
type DisplayMediaRequest = Parameters<NonNullable<DisplayMediaHandler>>[0];
let displayMedia: DisplayMediaHandler = null;

/** What a page's request to see the screen comes to: nothing, or the name of the error that it gets. */
export async function requestDisplayMedia(request: DisplayMediaRequest): Promise<string | undefined> {
  const handler = displayMedia;
  if (!handler) return 'NotSupportedError';
  if (!request.userGesture) return 'InvalidStateError';
  return new Promise((resolve) =>
    handler(request, (streams) => {
      if (streams === null) return resolve('NotAllowedError');
      const { video, audio } = streams;
      if (request.videoRequested && !(video && 'id' in video && video.id && video.name))
        throw new TypeError('Video was requested, but no video stream was provided');
      if (audio && !request.audioRequested) throw new TypeError('An audio stream was provided, but audio was not requested');
      resolve(undefined);
    }),
  );
}

/** The permissions of the pages of all windows. */
export const permissions = new Permissions();

export const defaultSession = {
  cookies: cookies as unknown as Cookies,
  setPermissionRequestHandler: permissions.setRequestHandler,
  setPermissionCheckHandler: permissions.setCheckHandler,
  setDisplayMediaRequestHandler: (handler: DisplayMediaHandler) => {
    displayMedia = handler;
  },
} satisfies Pick<Session, Doubled> & { cookies: Cookies } as unknown as Session;

export const session = {
  get defaultSession() {
    requireReady('Session can only be received when app is ready');
    return defaultSession;
  },
};
