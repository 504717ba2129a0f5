import type { Request, Response } from 'express';
import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import { readCookie } from '#server/core/accounts/session-cookie.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';

const NAME = 'pixdock_sign_on';
const PATH = `${API_PREFIX}/auth/oidc`;
const PURPOSE = 'oidc-flow';
/** How long somebody may take at the provider. */
const LIFETIME_MS = 600_000;

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  issuer: z.string(),
  next: z.string(),
  expires: z.number(),
});

/** A sign-on under way, kept in the browser that has started it and in no other. */
export interface Flow {
  state: string;
  nonce: string;
  /** The PKCE code verifier. */
  verifier: string;
  /** The issuer that it was started with. */
  issuer: string;
  /** Where the browser goes in the end. */
  next: string;
}

/** Puts a sign-on into the browser, encrypted. */
export function setFlowCookie(secrets: Secrets, request: Request, response: Response, flow: Flow): void {
  const expires = Date.now() + LIFETIME_MS;
  const value = seal(secrets.key(PURPOSE), JSON.stringify({ ...flow, expires }));
  response.cookie(NAME, value, { httpOnly: true, sameSite: 'lax', secure: request.secure, path: PATH, expires: new Date(expires) });
}

/** Takes the sign-on out of the browser: it serves once. Undefined when there is none, or it is too old. */
export function takeFlowCookie(secrets: Secrets, request: Request, response: Response): Flow | undefined {
  const sealed = readCookie(request, NAME);
  if (!sealed) return undefined;
  response.clearCookie(NAME, { httpOnly: true, sameSite: 'lax', secure: request.secure, path: PATH });
  const text = unseal(secrets.key(PURPOSE), sealed);
  const flow = text === undefined ? undefined : flowSchema.parse(JSON.parse(text));
  return flow && flow.expires > Date.now() ? flow : undefined;
}
