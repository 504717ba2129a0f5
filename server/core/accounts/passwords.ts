import { hash, verify } from '@node-rs/argon2';

/** A well-formed hash of nothing anybody has, so that unknown accounts cost the same time as known ones. */
const NOBODY = hash('no account has this password');

/** An argon2id hash for storage. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'));
}

/**
 * Whether a password belongs to a stored hash. Without a hash (no such account, or an account without a password)
 * it takes as long and is false.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await NOBODY), password.normalize('NFC'));
  return matches && stored !== null && stored !== undefined;
}
