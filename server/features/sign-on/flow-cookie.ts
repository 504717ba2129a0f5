import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/headers/cookies.ts';

const PREFIX = 'pixdock_sign_on_';
const PATH = `${API_PREFIX}/auth/oidc`;
const PURPOSE = 'oidc-flow';
/** How long a user may take at the provider. */
const LIFETIME_MS = 600_000;
/** What a browser keeps at once: tabs, and bytes of cookies, since proxies refuse headers of 8 KB. */
const MAX_FLOWS = 8;
const MAX_BYTES = 4096;

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  issuer: z.string(),
  next: z.string(),
  link: z.object({ userId: z.number(), sessionId: z.number() }).optional(),
  expires: z.number(),
});

/** A sign-on in progress, stored only in the browser that has started it. */
export interface Flow {
  state: string;
  nonce: string;
  /** The PKCE code verifier. */
  verifier: string;
  /** The issuer when it was started. */
  issuer: string;
  /** Where the browser goes after signing in. */
  next: string;
  /** Set when it links an account instead of signing in: the account, and the session that has started it. */
  link?: { userId: number; sessionId: number } | undefined;
}

/** Each sign-on has a cookie, so that several tabs can be at the provider at once. */
const nameOf = (state: string) => PREFIX + createHash('sha256').update(state).digest('base64url').slice(0, 16);

/** Stores a sign-on in the browser, encrypted, and removes the oldest ones if there are too many. */
export function setFlowCookie(secrets: Secrets, request: Request, response: Response, flow: Flow): void {
  const attributes = cookieAttributes(request, PATH);
  const expires = Date.now() + LIFETIME_MS;
  const value = seal(secrets.key(PURPOSE), JSON.stringify({ ...flow, expires }));
  let bytes = PREFIX.length + value.length;
  for (const [place, { name, size }] of newestFirst(secrets, request).entries()) {
    bytes += size;
    if (place + 1 >= MAX_FLOWS || bytes > MAX_BYTES) response.clearCookie(name, attributes);
  }
  response.cookie(nameOf(flow.state), value, { ...attributes, expires: new Date(expires) });
}

function newestFirst(secrets: Secrets, request: Request): { name: string; size: number; expires: number }[] {
  return Object.entries(cookiesOf(request))
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value = '']) => ({ name, size: name.length + value.length, expires: read(secrets, value)?.expires ?? 0 }))
    .sort((one, other) => other.expires - one.expires);
}

/** Reads and clears the sign-on that a callback completes, which can be used once. Undefined when there is none or it has expired. */
export function takeFlowCookie(secrets: Secrets, request: Request, response: Response, state = ''): Flow | undefined {
  const name = nameOf(state);
  const sealed = cookiesOf(request)[name];
  if (!sealed) return undefined;
  response.clearCookie(name, cookieAttributes(request, PATH));
  const flow = read(secrets, sealed);
  return flow && flow.expires > Date.now() ? flow : undefined;
}

function read(secrets: Secrets, sealed: string): z.infer<typeof flowSchema> | undefined {
  const text = unseal(secrets.key(PURPOSE), sealed);
  return text === undefined ? undefined : flowSchema.parse(JSON.parse(text));
}
