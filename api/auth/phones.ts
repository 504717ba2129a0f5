import { z } from 'zod';
import { asSent, instant, nothing, route } from '#api/contract.ts';
import { deviceName } from './devices.ts';

// How a phone gets a token by scanning a QR code (decision 152): a signed-in user shows a code, the phone asks with it, and the user decides.

/** What the QR code contains. Enough to ask, not to upload. */
const code = asSent(100, 1);

export const createPhoneCode = route({
  method: 'POST',
  path: '/phone/codes',
  access: 'session',
  summary: 'Create a one-time code with which a phone can ask for an upload-only token. It replaces the one before',
  data: z.object({
    code,
    url: z.string().meta({ description: 'The page to open on the phone, for a QR code' }),
    expires_in: z.int().meta({ description: 'Seconds until the code expires' }),
  }),
  errors: ['cross_site', 'rate_limited'],
});

const asking = z.object({
  name: z.string(),
  check_code: z.string().meta({ description: 'The phone shows the same' }),
  address: z.string().meta({ description: 'The network address that the request came from' }),
});

/** `asking`: a phone waits for the decision. `approved`: it will get the token in a moment. `expired` also stands for unknown codes, and those of other users. */
const phoneState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting'), expires_at: instant }),
  asking.extend({ state: z.literal('asking'), expires_at: instant }),
  z.object({ state: z.literal('approved'), name: z.string() }),
  z.object({ state: z.literal('connected'), name: z.string() }),
  z.object({ state: z.literal('denied'), name: z.string() }),
  z.object({ state: z.literal('expired') }),
]);
export type PhoneState = z.infer<typeof phoneState>;

export const findPhone = route({
  method: 'POST',
  path: '/phone/find',
  access: 'session',
  summary: "Get what has become of one of the caller's codes",
  body: z.object({ code }),
  data: phoneState,
  errors: ['cross_site'],
});

export const decidePhone = route({
  method: 'POST',
  path: '/phone/decision',
  access: 'session',
  summary:
    "Approve or deny the phone that asks with one of the caller's codes. Approving it creates an upload-only token for the caller's account",
  body: z.object({
    code,
    check_code: asSent(32).meta({ description: 'The one that the user has compared' }),
    decision: z.enum(['deny', 'approve']),
  }),
  data: nothing,
  errors: ['not_found', 'cross_site'],
});

/** `used`: another phone has asked with this code. `expired` also stands for unknown codes. */
const phoneRequest = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('asking'),
    phone_code: z.string().meta({ description: 'Secret of the phone, for `POST /phone/token`' }),
    check_code: z.string(),
    interval: z.int().meta({ description: 'Seconds to wait between polls' }),
    expires_in: z.int().meta({ description: 'Seconds until the request expires' }),
  }),
  z.object({ state: z.literal('used') }),
  z.object({ state: z.literal('expired') }),
]);

export const requestPhone = route({
  method: 'POST',
  path: '/phone/requests',
  access: 'open',
  summary: 'Ask for an upload-only token with a code, which works once',
  body: z.object({ code, name: deviceName }),
  data: phoneRequest,
  errors: ['cross_site', 'rate_limited'],
});

/** `used`: the token has been fetched. `expired` also stands for unknown codes. */
const phonePoll = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.literal('denied') }),
  z.object({ state: z.literal('used') }),
  z.object({ state: z.literal('expired') }),
  z.object({ state: z.literal('approved'), token: z.string().meta({ description: 'Returned only once' }), username: z.string() }),
]);
export type PhonePoll = z.infer<typeof phonePoll>;

export const pollPhone = route({
  method: 'POST',
  path: '/phone/token',
  access: 'open',
  summary: 'Poll for the decision; returns the token once',
  body: z.object({ phone_code: asSent(100, 1) }),
  data: phonePoll,
  errors: ['cross_site', 'rate_limited'],
});
