import { availableParallelism } from 'node:os';
import { createFairQueue, type Turn } from './fair-queue.ts';

/** Each takes 20 MB and a whole core for tens of milliseconds: where there are two, one stays free. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const MAX_WAITING = 200;

/** All password hashes of this process. */
export const hashing = createFairQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING });

/** Those who are signed in or have signed in before come first: strangers can't keep them from working. */
const RANKS = { users: 0, strangers: 1 };

/** Whose password is hashed. */
export type HashTurn = Turn;

/** The turn of a password that a signed-in user sets, or that the service checks for itself. */
export const USERS_TURN: HashTurn = { who: 'users', rank: RANKS.users };

/** The turn of a user, or of a device known to be theirs. @param who the user: a client can have any number of devices */
export const knownTurn = (who: string, signal?: AbortSignal): HashTurn => ({ who, rank: RANKS.users, signal });

/** The turn of a caller of whom only the network is known. */
export const strangersTurn = (network: string, signal?: AbortSignal): HashTurn => ({ who: network, rank: RANKS.strangers, signal });
