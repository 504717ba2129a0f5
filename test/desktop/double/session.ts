import type { Cookie, Cookies, CookiesGetFilter, CookiesSetDetails, Session } from 'electron';
import { browserContext } from './chromium.ts';
import { nothing } from './nothing.ts';

const SAME_SITE = { Lax: 'lax', Strict: 'strict', None: 'no_restriction' } as const;
const TO_CHROMIUM = { lax: 'Lax', strict: 'Strict', no_restriction: 'None', unspecified: 'Lax' } as const;

/** Chromium's own cookie store, in Electron's words. */
const cookies = {
  async get({ url, name }: CookiesGetFilter): Promise<Cookie[]> {
    const found = await browserContext().cookies(url);
    return found
      .filter((cookie) => name === undefined || cookie.name === name)
      .map(({ sameSite, expires, ...cookie }) => ({
        ...cookie,
        sameSite: SAME_SITE[sameSite],
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
    const { hostname: domain } = new URL(url);
    const expires = expirationDate ?? -1;
    await browserContext().addCookies([{ domain, name, value, path, httpOnly, secure, sameSite: TO_CHROMIUM[sameSite], expires }]);
  },
} satisfies Pick<Cookies, 'get' | 'set'>;

type Doubled = 'setPermissionRequestHandler' | 'setPermissionCheckHandler';

/** Headless Chromium denies permissions automatically. */
export const defaultSession = {
  cookies: cookies as unknown as Cookies,
  setPermissionRequestHandler: nothing,
  setPermissionCheckHandler: nothing,
} satisfies Pick<Session, Doubled> & { cookies: Cookies } as unknown as Session;

export const session = { defaultSession };
