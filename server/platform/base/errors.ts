import { MINUTE } from '#api/durations.ts';
import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '#api/errors.ts';
import { retryAdvice } from '#api/failures.ts';
import { formatDuration } from '#server/platform/base/durations.ts';

/** A refusal with a stable code. The message is sent to the client unchanged: a sentence that its user can act on. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly code: ErrorCode;
  readonly details: Omit<ErrorDetails, 'code'>;

  constructor(code: ErrorCode, message: string, details: Omit<ErrorDetails, 'code'> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** The body of the response. */
  get envelope(): { status: false; message: string; data: ErrorDetails } {
    return { status: false, message: this.message, data: { code: this.code, retry: retryAdvice(this.code), ...this.details } };
  }
}

export class InvalidRequestError extends RequestError {
  constructor(message: string, details: Omit<ErrorDetails, 'code'> = {}) {
    super('invalid_request', message, details);
  }
}

/** Also for what the caller may not know about: another user's resources appear not to exist. */
export class NotFoundError extends RequestError {
  constructor(message = 'This item wasn’t found. It may have been deleted, or the address may be wrong.') {
    super('not_found', message);
  }
}

/** The result of a look-up. @throws NotFoundError with `message` when there is none */
export function requireFound<T>(row: T | undefined, message: string): T {
  if (row === undefined) throw new NotFoundError(message);
  return row;
}

export class UnauthorizedError extends RequestError {
  constructor(message = 'Sign in, or use a valid token.') {
    super('unauthorized', message);
  }
}

export class ForbiddenError extends RequestError {
  constructor(message = 'You don’t have permission to do this.') {
    super('forbidden', message);
  }
}

/**
 * The refusal of a request over a rate limit.
 * @param what happened too often, as a sentence
 * @param waitMs until the next one is allowed
 */
export function tooManyRequests(what: string, waitMs: number): RequestError {
  const retry_after = Math.max(1, Math.ceil(waitMs / 1000));
  const shown = retry_after > 2 * MINUTE ? Math.ceil(retry_after / MINUTE) * MINUTE : retry_after;
  return new RequestError('rate_limited', `${what} Try again in ${formatDuration(shown)}.`, { retry_after });
}

/** The refusal of a request because too many others are in progress. It says nothing about this request, so it isn't logged. */
export class BusyError extends RequestError {
  override name = 'BusyError';

  constructor(retrySeconds = 5) {
    super('unavailable', 'The server is busy. Try again in a few seconds.', { retry_after: retrySeconds });
  }
}

/** The client has disconnected before the response. */
export class CallerGoneError extends Error {
  override name = 'CallerGoneError';

  constructor() {
    super('The client has disconnected.');
  }
}

/** The refusal of a file over the group's size cap. */
export function fileTooLarge(maxBytes: number): RequestError {
  const [unit, bytes] = maxBytes < 1024 * 1024 ? ['KB', 1024] : ['MB', 1024 * 1024];
  const cap = `${Math.round((maxBytes / bytes) * 10) / 10} ${unit}`;
  return new RequestError('file_too_large', `The file is larger than ${cap}. Choose a smaller one.`, { max_bytes: maxBytes });
}
