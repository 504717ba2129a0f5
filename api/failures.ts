import { ApiError, causes, NetworkError, RedirectError } from './client.ts';
import { ERROR_STATUS, type ErrorCode, type RetryAdvice } from './errors.ts';

/**
 * What a failure means for the same request (decision 054):
 * `permanent`: it would fail again; `retry`: it can succeed in seconds, or after the wait that the service asks for;
 * `wait`: something else has to change first, so a program in the background waits, and the others stop and report it;
 * `new key`: its `Idempotency-Key` can't be used again.
 */
export type FailureClass = 'permanent' | 'retry' | 'wait' | 'new key';

/** Codes whose meaning their status doesn't show. */
const OF_CODE: ReadonlyMap<string, FailureClass> = new Map<ErrorCode, FailureClass>([
  // Another server has to respond.
  ['url_unreachable', 'wait'],
  ['storage_unreachable', 'wait'],
  ['idempotency_conflict', 'new key'],
  ['deleted', 'new key'],
  ['replaced', 'new key'],
]);

/** Classifies what a request failed with, by what the service says; by code and status where it says nothing. */
export function classify(error: unknown): FailureClass {
  if (error instanceof ApiError) return ofRefusal(error);
  if (!(error instanceof NetworkError)) return 'permanent';
  if (error.status === undefined) return [...causes(error)].some(isWrongPlace) ? 'wait' : 'retry';
  const found = ofStatus(error.status);
  // A proxy's limit applies to this request; any other response comes from a program in the service's place.
  return found === 'permanent' && error.status !== 413 ? 'wait' : found;
}

/** What the service says about a refusal, for clients of every version. */
export function retryAdvice(code: ErrorCode): RetryAdvice {
  const found = ofCode(code, ERROR_STATUS[code]);
  return found === 'permanent' ? 'never' : found === 'new key' ? 'new_key' : 'later';
}

/** Whether a failure that can pass concerns every request: the service can't be reached, or is unavailable. */
export function isOutage(error: unknown): boolean {
  if (classify(error) !== 'retry') return false;
  return error instanceof NetworkError ? (error.status ?? 503) >= 500 : (error as ApiError).status === 503;
}

/** Whether the key's picture has been deleted or replaced since: only a user may send it again (decision 058). */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'deleted' || error.code === 'replaced');
}

function ofRefusal({ status, code, details }: ApiError): FailureClass {
  const found = ofCode(code, status);
  switch (details.retry) {
    case 'never':
      return 'permanent';
    case 'new_key':
      return 'new key';
    case 'later':
      return found === 'wait' ? 'wait' : 'retry';
    default:
      return found;
  }
}

const ofCode = (code: string, status: number) => OF_CODE.get(code) ?? ofStatus(status);

function ofStatus(status: number): FailureClass {
  if (status === 507) return 'wait';
  return status === 408 || status === 429 || status >= 500 ? 'retry' : 'permanent';
}

/** The address, its certificate or its port has to change. */
function isWrongPlace(error: Error & { code?: unknown }) {
  return (
    error instanceof RedirectError ||
    // How fetch refuses ports that belong to other protocols.
    error.message === 'bad port' ||
    (typeof error.code === 'string' && /CERT|ERR_SSL|ERR_TLS|UNABLE_TO_|EPROTO/.test(error.code))
  );
}
