import { type Cookies, parseCookie } from 'cookie';
import type { CookieOptions, Request } from 'express';

/** The cookies of a request by name. */
export const cookiesOf = ({ headers }: Request): Cookies => parseCookie(headers.cookie ?? '');

/** The attributes of all our cookies; `Secure` only when the request came over https, since the LAN uses plain http. */
export const cookieAttributes = ({ secure }: Request, path = '/'): CookieOptions => ({ httpOnly: true, sameSite: 'lax', secure, path });
