import { hash, verify } from '@node-rs/argon2';
import { type HashTurn, hashing, USERS_TURN } from '#server/platform/admission/hashing.ts';

/** A well-formed hash that no password matches: unknown accounts take as long as known ones. */
const UNMATCHABLE = hash('no account has this password');

/**
 * An argon2id hash for storage.
 * @throws BusyError when too many are waiting, CallerGoneError when the caller left before its turn
 */
export function hashPassword(password: string, turn: HashTurn = USERS_TURN): Promise<string> {
  return hashing.run(turn, {}, () => hash(password.normalize('NFC')));
}

/**
 * Whether a password matches a stored hash. Without a hash (no such account, or an account without a password)
 * it takes as long and returns false.
 * @throws BusyError when too many are waiting, CallerGoneError when the caller left before its turn
 */
export async function verifyPassword(stored: string | null | undefined, password: string, turn: HashTurn = USERS_TURN): Promise<boolean> {
  const compared = stored ?? (await UNMATCHABLE);
  const matches = await hashing.run(turn, {}, () => verify(compared, password.normalize('NFC')));
  return matches && stored !== null && stored !== undefined;
}
