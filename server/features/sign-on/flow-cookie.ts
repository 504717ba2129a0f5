import type { Request, Response } from 'express';
import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import { cookieAttributes, cookiesOf } from '#server/platform/http/headers/cookies.ts';

const NAME = 'pixdock_sign_on';
const PATH = `${API_PREFIX}/auth/oidc`;
const PURPOSE = 'oidc-flow';
/** How long a user may take at the provider. */
const LIFETIME_MS = 600_000;

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

/** Stores a sign-on in the browser, encrypted. */
export function setFlowCookie(secrets: Secrets, request: Request, response: Response, flow: Flow): void {
  const expires = Date.now() + LIFETIME_MS;
  const value = seal(secrets.key(PURPOSE), JSON.stringify({ ...flow, expires }));
  response.cookie(NAME, value, { ...cookieAttributes(request, PATH), expires: new Date(expires) });
}

/** Reads and clears the sign-on, which can be used once. Undefined when there is none or it has expired. */
export function takeFlowCookie(secrets: Secrets, request: Request, response: Response): Flow | undefined {
  const sealed = cookiesOf(request)[NAME];
  if (!sealed) return undefined;
  response.clearCookie(NAME, cookieAttributes(request, PATH));
  const text = unseal(secrets.key(PURPOSE), sealed);
  const flow = text === undefined ? undefined : flowSchema.parse(JSON.parse(text));
  return flow && flow.expires > Date.now() ? flow : undefined;
}
