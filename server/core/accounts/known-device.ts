import type { Request, Response } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { randomKey, safeEqual } from '#server/platform/base/secret-text.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/headers/cookies.ts';

// A browser that has signed in to an account keeps a signed cookie for it, so that strangers' failed sign-ins can't lock it out (decision 075).
// The cookie isn't a session. Its signature covers the password: a new one makes all devices unknown, since a thief may have collected many.

const NAME = 'pixdock_device';
const PURPOSE = 'known-device';
const ID_LENGTH = 16;
/** Browsers keep no cookie longer. */
const LIFETIME_MS = 400 * DAY_MS;
/** Accounts that one browser is known to; the one signed in to longest ago makes room. */
const MAX_ACCOUNTS = 5;
const SEPARATOR = '~';
/** User id, device, time in milliseconds, signature. */
const ENTRY = /^((\d{1,16})\.(\w{16})\.(\d{1,16}))\.([\w-]{43})$/;

type Account = Pick<UserRow, 'id' | 'password_hash'>;

/**
 * The id of the device that sent a request, if it has signed in to the account with its current password before.
 * @param since only if it has signed in since then, in milliseconds since 1970
 */
export function knownDevice(secrets: Secrets, request: Request, account: Account, since = 0): string | undefined {
  const { device, at } = entriesOf(request).flatMap((entry) => read(secrets, entry, account) ?? [])[0] ?? {};
  return at !== undefined && at >= since ? device : undefined;
}

/** Marks the browser as a device of the account that has just signed in. */
export function rememberDevice(secrets: Secrets, request: Request, response: Response, account: Account): void {
  const device = knownDevice(secrets, request, account) ?? randomKey(ID_LENGTH);
  const fields = `${account.id}.${device}.${Date.now()}`;
  const others = entriesOf(request).filter((entry) => !entry.startsWith(`${account.id}.`));
  const value = [`${fields}.${sign(secrets, fields, account)}`, ...others].slice(0, MAX_ACCOUNTS).join(SEPARATOR);
  response.cookie(NAME, value, { ...cookieAttributes(request, API_PREFIX), expires: new Date(Date.now() + LIFETIME_MS) });
}

const sign = (secrets: Secrets, fields: string, { password_hash }: Account) => secrets.sign(PURPOSE, `${fields}.${password_hash ?? ''}`);

/** The well-formed entries, each for one account; their signatures haven't been checked. */
function entriesOf(request: Request): string[] {
  const entries = (cookiesOf(request)[NAME] ?? '').split(SEPARATOR).slice(0, MAX_ACCOUNTS);
  return entries.filter((entry) => ENTRY.test(entry));
}

/** The device of an entry, and when it signed in, in milliseconds since 1970. The id identifies the browser for this account only. */
function read(secrets: Secrets, entry: string, account: Account): { device: string; at: number } | undefined {
  const [, fields = '', userId, device = '', at, signature = ''] = ENTRY.exec(entry) ?? [];
  if (Number(userId) !== account.id || !safeEqual(signature, sign(secrets, fields, account))) return undefined;
  return Number(at) + LIFETIME_MS < Date.now() ? undefined : { device, at: Number(at) };
}
