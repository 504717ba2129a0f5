import type { Request, Response } from 'express';
import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import { MINUTE_MS } from '#api/durations.ts';
import { hashSecret } from '#server/platform/base/secret-text.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/headers/cookies.ts';

// Between password and code there is no session, only this cookie: it allows sending a code, and nothing else.

const NAME = 'pixdock_second_step';
const PATH = `${API_PREFIX}/auth`;
const PURPOSE = 'second-step';
const LIFETIME_MS = 10 * MINUTE_MS;

const schema = z.object({ userId: z.number(), password: z.string(), expires: z.number() });

/** Remembers in the browser, encrypted, that it has sent the account's password. */
export function setStepCookie(secrets: Secrets, request: Request, response: Response, user: UserRow): void {
  const expires = Date.now() + LIFETIME_MS;
  const value = seal(secrets.key(PURPOSE), JSON.stringify({ userId: user.id, password: passwordMark(user), expires }));
  response.cookie(NAME, value, { ...cookieAttributes(request, PATH), expires: new Date(expires) });
}

export function clearStepCookie(request: Request, response: Response): void {
  response.clearCookie(NAME, cookieAttributes(request, PATH));
}

/** The enabled account whose current password the browser has sent; undefined when there is none or it was too long ago. */
export async function readStepCookie(queries: Queries, secrets: Secrets, request: Request): Promise<UserRow | undefined> {
  const text = unseal(secrets.key(PURPOSE), cookiesOf(request)[NAME] ?? '');
  if (text === undefined) return undefined;
  const { userId, password, expires } = schema.parse(JSON.parse(text));
  if (expires <= Date.now()) return undefined;
  const user = await queries.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  return user && user.disabled_at === null && passwordMark(user) === password ? user : undefined;
}

/** Changes with the password. */
const passwordMark = ({ password_hash }: UserRow) => hashSecret(password_hash ?? '');
