import { hash, verify } from '@node-rs/argon2';

/** A well-formed hash that no password matches: unknown accounts take as long as known ones. */
const UNMATCHABLE = hash('no account has this password');

/** An argon2id hash for storage. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'));
}

/**
 * Whether a password matches a stored hash. Without a hash (no such account, or an account without a password)
 * it takes as long and returns false.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await UNMATCHABLE), password.normalize('NFC'));
  return matches && stored !== null && stored !== undefined;
}
