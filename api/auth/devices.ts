import { z } from 'zod';
import { tokenScope } from '#api/auth/tokens.ts';
import { asSent, instant, line, nothing, route, typed } from '#api/contract.ts';

// How a device gets a token without anyone typing or copying one: like OAuth's device authorisation grant (RFC 8628; decision 062).

/** The short code that the device shows and the person enters, such as `K7QM-3XWD`; case and dashes don't matter. */
const userCode = typed(32, 1).meta({ examples: ['K7QM-3XWD'] });

/** The name of a device, and of its token. */
export const deviceName = line(100, 1).meta({ description: 'Name of the device and of its token', examples: ['Desk computer'] });

/** What the device may do once it is approved. */
const deviceScope = tokenScope.exclude(['metrics']).meta({
  description: '`upload`: can upload; `device`: can also follow and show what is sent to its user; `full`: can do what its user can',
});
export type DeviceScope = z.infer<typeof deviceScope>;

export const requestDevice = route({
  method: 'POST',
  path: '/device/requests',
  access: 'open',
  summary: 'Request a token, which a signed-in user approves on the page `/connect`',
  body: z.object({ name: deviceName, scope: deviceScope.default('upload') }),
  data: z.object({
    device_code: z.string().meta({ description: 'Secret of the device, for `POST /device/token`' }),
    user_code: z.string(),
    verify_url: z.string().meta({ description: 'The page where a signed-in user approves the request' }),
    interval: z.int().meta({ description: 'Seconds to wait between polls' }),
    expires_in: z.int().meta({ description: 'Seconds until the request expires' }),
  }),
  errors: ['cross_site', 'rate_limited'],
});

/** A request as the approving user sees it. */
const deviceRequest = z.object({
  name: z.string(),
  scope: deviceScope,
  user_code: z.string(),
  address: z.string().meta({ description: 'The network address that the request came from' }),
  same_network: z.boolean().meta({ description: 'Whether the caller is in the same network, as far as addresses tell' }),
  created_at: instant,
  expires_at: instant,
});
export type DeviceRequest = z.infer<typeof deviceRequest>;

export const findDeviceRequest = route({
  method: 'POST',
  path: '/device/find',
  access: 'session',
  summary: 'Get the pending request with this code',
  body: z.object({ user_code: userCode }),
  data: deviceRequest,
  errors: ['not_found', 'rate_limited', 'cross_site'],
});

export const decideDeviceRequest = route({
  method: 'POST',
  path: '/device/decision',
  access: 'session',
  summary:
    "Approve or deny the pending request with this code. Approving it creates a token of the requested scope for the caller's account",
  body: z.object({ user_code: userCode, decision: z.enum(['deny', 'approve']) }),
  data: nothing,
  errors: ['not_found', 'rate_limited', 'cross_site'],
});

/** What each poll that comes too early adds to the wait (RFC 8628, section 3.5). */
export const SLOW_DOWN_SECONDS = 5;

/** The result of a poll. `slow_down`: wait {@link SLOW_DOWN_SECONDS} longer between polls. `expired` also stands for unknown codes. */
const devicePoll = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.literal('slow_down') }),
  z.object({ state: z.literal('denied') }),
  z.object({ state: z.literal('expired') }),
  z.object({
    state: z.literal('approved'),
    token: z.string().meta({ description: 'Returned only once' }),
    scope: deviceScope,
    username: z.string(),
  }),
]);
export type DevicePoll = z.infer<typeof devicePoll>;

export const pollDevice = route({
  method: 'POST',
  path: '/device/token',
  access: 'open',
  summary: 'Poll for the decision on a request; returns the token once',
  body: z.object({ device_code: asSent(100, 1) }),
  data: devicePoll,
  errors: ['cross_site', 'rate_limited'],
});

export const giveUpToken = route({
  method: 'DELETE',
  path: '/user/token',
  access: 'user',
  uploadScope: true,
  summary: 'Revoke the token used for this request',
  data: nothing,
  errors: ['invalid_request'],
});
