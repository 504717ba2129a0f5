import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { type HashTurn, hashing, USERS_TURN } from '#server/platform/admission/hashing.ts';

const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');

/**
 * A well-formed hash that no password matches: unknown accounts take as long as known ones. It has the parameters of `hash`, which
 * would take 15 ms and 19 MB at every start.
 */
export const UNMATCHABLE = `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`;

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
  const compared = stored ?? UNMATCHABLE;
  const matches = await hashing.run(turn, {}, () => verify(compared, password.normalize('NFC')));
  return matches && stored !== null && stored !== undefined;
}
