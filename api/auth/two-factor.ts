import { z } from 'zod';
import { asSent, count, instant, nothing, route, typed } from '#api/contract.ts';
import { currentPassword, user } from './auth.ts';

/** As typed: spaces and dashes don't matter. */
const code = typed(100, 1);

/** A new secret, not yet in use. */
const offer = z.object({
  secret: z.string().meta({ description: 'For typing into an authenticator app: Base32' }),
  uri: z.string().meta({ description: 'The same as an `otpauth:` address, for a QR code' }),
  offer: z.string().meta({ description: 'Send it back with the first code, within 30 minutes' }),
});
export type TwoFactorOffer = z.infer<typeof offer>;

const acceptance = z.object({ offer: asSent(1000), code });
const recoveryCodes = z.array(z.string()).meta({ description: 'Shown only here: each replaces a code once' });

export const sendCode = route({
  method: 'POST',
  path: '/auth/code',
  access: 'open',
  summary: 'Complete signing in with a password: send a code from the authenticator app, or a recovery code',
  body: z.object({ code }),
  data: z.object({ user }),
  errors: ['unauthorized', 'wrong_code', 'rate_limited', 'cross_site'],
});

export const beginEnrolment = route({
  method: 'POST',
  path: '/auth/enrol',
  access: 'open',
  summary: 'Begin setting up two-factor authentication while signing in, where it is required',
  data: offer,
  errors: ['unauthorized', 'cross_site'],
});

export const completeEnrolment = route({
  method: 'PUT',
  path: '/auth/enrol',
  access: 'open',
  summary: 'Turn on two-factor authentication with the first code, and complete signing in',
  body: acceptance,
  data: z.object({ user, recovery_codes: recoveryCodes }),
  errors: ['unauthorized', 'wrong_code', 'rate_limited', 'cross_site'],
});

/** The second factor of the caller's account. */
const twoFactorState = z.object({
  enabled_at: instant.nullable().meta({ description: 'Null: turned off' }),
  recovery_codes_left: count,
  required: z.boolean().meta({ description: 'Whether this site requires it for the account; if so, it can’t be turned off' }),
});
export type TwoFactorState = z.infer<typeof twoFactorState>;

export const getTwoFactor = route({
  method: 'GET',
  path: '/user/two-factor',
  access: 'session',
  summary: 'Get the state of two-factor authentication',
  data: twoFactorState,
});

export const offerTwoFactor = route({
  method: 'POST',
  path: '/user/two-factor',
  access: 'session',
  summary:
    'Begin setting up two-factor authentication, or moving it to another authenticator app. Nothing changes until the first code is sent',
  body: z.object({ current_password: currentPassword }),
  data: offer,
  errors: ['conflict', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});

export const enableTwoFactor = route({
  method: 'PUT',
  path: '/user/two-factor',
  access: 'session',
  summary:
    'Turn on two-factor authentication with the first code; replaces the previous secret and recovery codes, and ends all other sessions',
  body: acceptance,
  data: z.object({ recovery_codes: recoveryCodes }),
  errors: ['wrong_code', 'cross_site'],
});

export const replaceRecoveryCodes = route({
  method: 'POST',
  path: '/user/two-factor/recovery-codes',
  access: 'session',
  summary: 'Get new recovery codes; the previous ones stop working',
  body: z.object({ current_password: currentPassword }),
  data: z.object({ recovery_codes: recoveryCodes }),
  errors: ['conflict', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});

export const disableTwoFactor = route({
  method: 'POST',
  path: '/user/two-factor/disable',
  access: 'session',
  summary: 'Turn off two-factor authentication',
  body: z.object({ current_password: currentPassword }),
  data: nothing,
  errors: ['forbidden', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});
