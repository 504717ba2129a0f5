import { Secret, TOTP } from 'otpauth';

// Time-based one-time passwords (RFC 6238) as every authenticator app supports them: SHA-1, six digits, 30 seconds.

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted: clocks differ, and typing takes time (RFC 6238, section 5.2). */
const WINDOW = 1;

/** A new secret in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: string, site: string, username: string): string {
  // Apps split the label at its first colon.
  return totp(secret, site.replaceAll(':', ' ').trim() || 'Pixdock', username).toString();
}

/** The time step that a six-digit code belongs to; undefined when it is wrong or not valid at `now`. */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

const totp = (secret: string, issuer = '', label = '') => new TOTP({ issuer, label, secret, period: PERIOD_SECONDS });
