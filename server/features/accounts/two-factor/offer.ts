import { z } from 'zod';
import type { TwoFactorOffer } from '#api/auth/two-factor.ts';
import { MINUTE_MS } from '#api/durations.ts';
import { newTotpSecret, totpStep, totpUri } from '#server/core/accounts/totp.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { normalCode } from '#server/platform/base/readable-code.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

// A secret is stored once a first code has proved that the app has it. Until then only the client has it, encrypted.

const PURPOSE = 'two-factor-offer';
const LIFETIME_MS = 30 * MINUTE_MS;
const schema = z.object({ userId: z.number(), secret: z.string(), expires: z.number() });

/** A new secret for an account. */
export function makeOffer(secrets: Secrets, { id, username }: UserRow, site: string): TwoFactorOffer {
  const secret = newTotpSecret();
  const offer = seal(secrets.key(PURPOSE), JSON.stringify({ userId: id, secret, expires: Date.now() + LIFETIME_MS }));
  return { secret, uri: totpUri(secret, site, username), offer };
}

/**
 * Checks the first code for an offered secret; undefined when it is wrong.
 * @throws InvalidRequestError when the offer isn't the account's, or too old
 */
export function acceptOffer(
  secrets: Secrets,
  userId: number,
  { offer, code }: { offer: string; code: string },
): { secret: string; step: number } | undefined {
  const text = unseal(secrets.key(PURPOSE), offer);
  const offered = text === undefined ? undefined : schema.parse(JSON.parse(text));
  const now = Date.now();
  if (offered?.userId !== userId || offered.expires <= now)
    throw new InvalidRequestError('The setup timed out. Start again with a new QR code.', { field: 'offer', problem: 'took_too_long' });
  const step = totpStep(offered.secret, normalCode(code), now);
  return step === undefined ? undefined : { secret: offered.secret, step };
}
