import type { Request, Response } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { randomKey, safeEqual } from '#server/platform/base/secret-text.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/cookies.ts';

// A browser that has signed in to an account keeps a signed cookie for it, so that strangers' failed sign-ins can't lock it out (decision 075).
// The cookie signs nobody in.

const NAME = 'pixdock_device';
const PURPOSE = 'known-device';
const ID_LENGTH = 16;
/** Browsers keep no cookie longer. */
const LIFETIME_MS = 400 * DAY_MS;
/** Accounts that one browser is known to; the one signed in to longest ago makes room. */
const MAX_ACCOUNTS = 5;
const SEPARATOR = '~';

interface Entry {
  userId: number;
  /** Identifies the browser, for this account only. */
  device: string;
  /** When it signed in, in milliseconds since 1970. */
  at: number;
}

/** The id of the device that sent a request, if it has signed in to the account before. */
export function knownDevice(secrets: Secrets, request: Request, userId: number): string | undefined {
  return entriesOf(secrets, request).find((entry) => entry.userId === userId)?.device;
}

/** Marks the browser as a device of the account that has just signed in. */
export function rememberDevice(secrets: Secrets, request: Request, response: Response, userId: number): void {
  const entries = entriesOf(secrets, request);
  const device = entries.find((entry) => entry.userId === userId)?.device ?? randomKey(ID_LENGTH);
  const others = entries.filter((entry) => entry.userId !== userId);
  const kept = [{ userId, device, at: Date.now() }, ...others].slice(0, MAX_ACCOUNTS);
  const value = kept.map((entry) => write(secrets, entry)).join(SEPARATOR);
  response.cookie(NAME, value, { ...cookieAttributes(request, API_PREFIX), expires: new Date(Date.now() + LIFETIME_MS) });
}

function entriesOf(secrets: Secrets, request: Request): Entry[] {
  const texts = (cookiesOf(request)[NAME] ?? '').split(SEPARATOR).slice(0, MAX_ACCOUNTS);
  return texts.flatMap((text) => read(secrets, text) ?? []);
}

function write(secrets: Secrets, { userId, device, at }: Entry): string {
  const fields = `${userId}.${device}.${at}`;
  return `${fields}.${secrets.sign(PURPOSE, fields)}`;
}

function read(secrets: Secrets, text: string): Entry | undefined {
  const [, fields = '', userId, device = '', at, signature = ''] = /^((\d+)\.(\w+)\.(\d+))\.([\w-]+)$/.exec(text) ?? [];
  if (!safeEqual(signature, secrets.sign(PURPOSE, fields)) || Number(at) + LIFETIME_MS < Date.now()) return undefined;
  return { userId: Number(userId), device, at: Number(at) };
}
