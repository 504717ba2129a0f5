import { DatabaseError } from 'pg';
import type { DatabaseFault } from '../engine.ts';

/** The server can't be reached, or the connection to it was lost. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FAULTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^23505$/, 'unique'],
  [/^53100$/, 'full'],
  // Serialisation failures, deadlocks, and statements that waited or ran for too long.
  [/^(40...|55P03|57014)$/, 'busy'],
  [/^(08...|53...|57P..|25P03|25006)$/, 'unavailable'],
];

/** The fault behind an error; undefined when the error isn't the database's. */
export function postgresFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof UnavailableError) return 'unavailable';
  if (!(error instanceof DatabaseError)) return undefined;
  return FAULTS.find(([codes]) => codes.test(error.code ?? ''))?.[1] ?? 'other';
}

/** Whether a transaction that failed with `error` can succeed if it runs again immediately. */
export const isConflict = (error: unknown): boolean => error instanceof DatabaseError && /^40(001|P01)$/.test(error.code ?? '');

/** The error as the rest of this folder knows it, whether the server has ended the connection or the network has. */
export function asUnavailable(error: unknown): unknown {
  const isServers = error instanceof DatabaseError && postgresFault(error) !== 'unavailable';
  if (isServers || error instanceof UnavailableError) return error;
  return new UnavailableError(`PostgreSQL is unavailable: ${(error as Error).message}`, { cause: error });
}
