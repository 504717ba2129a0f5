import { z } from 'zod';
import { asSent, instant, line, nothing, opaqueId, route } from '#api/contract.ts';
import { currentPassword, user } from './auth.ts';

const name = line(100, 1);
const base64url = (max: number) => asSent(max, 1);
const byId = z.object({ id: opaqueId });

/** A passkey as its user sees it. */
const passkey = z.object({
  id: opaqueId,
  name: z.string(),
  host: z.string().meta({ description: 'The host name at which it works' }),
  created_at: instant,
  last_used_at: instant.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

/** What the browser's WebAuthn functions take, as JSON; the rest depends on their version. */
const options = z.looseObject({ challenge: z.string() });
const ticket = asSent(2000).meta({ description: 'Send it back with the result, within five minutes' });

const credential = { id: base64url(2000), rawId: base64url(2000), type: z.literal('public-key') };
const clientDataJSON = base64url(10_000);

export const listPasskeys = route({
  method: 'GET',
  path: '/user/passkeys',
  access: 'session',
  summary: "List the caller's passkeys, oldest first",
  data: z.object({
    available: z.boolean().meta({ description: 'Whether this address allows passkeys: https with a host name, or localhost' }),
    passkeys: z.array(passkey),
  }),
});

export const offerPasskey = route({
  method: 'POST',
  path: '/user/passkeys/options',
  access: 'session',
  summary: 'Begin adding a passkey',
  body: z.object({ current_password: currentPassword }),
  data: z.object({ options, ticket }),
  errors: ['conflict', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});

export const addPasskey = route({
  method: 'POST',
  path: '/user/passkeys',
  access: 'session',
  summary: 'Add the passkey that the browser has created',
  body: z.object({
    name,
    ticket,
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON,
        attestationObject: base64url(100_000),
        transports: z.array(asSent(50)).max(20).optional(),
      }),
    }),
  }),
  data: passkey,
  errors: ['conflict', 'cross_site'],
});

export const renamePasskey = route({
  method: 'PATCH',
  path: '/user/passkeys/:id',
  access: 'session',
  summary: 'Rename a passkey',
  params: byId,
  body: z.object({ name }),
  data: passkey,
  errors: ['not_found', 'cross_site'],
});

export const removePasskey = route({
  method: 'DELETE',
  path: '/user/passkeys/:id',
  access: 'session',
  summary: 'Remove a passkey',
  params: byId,
  body: z.object({ current_password: currentPassword }),
  data: nothing,
  errors: ['not_found', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});

export const askForPasskey = route({
  method: 'POST',
  path: '/auth/passkey/options',
  access: 'open',
  summary: 'Begin signing in with a passkey',
  data: z.object({ options, ticket }),
  errors: ['conflict', 'cross_site'],
});

export const signInByPasskey = route({
  method: 'POST',
  path: '/auth/passkey',
  access: 'open',
  summary: 'Sign in with a passkey, which replaces both the password and the code',
  body: z.object({
    ticket,
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON,
        authenticatorData: base64url(10_000),
        signature: base64url(10_000),
        userHandle: asSent(200).optional(),
      }),
    }),
  }),
  data: z.object({ user }),
  errors: ['unauthorized', 'rate_limited', 'cross_site'],
});
