import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { API_PREFIX } from '#api/constants.ts';
import { BusyError, CallerGoneError, NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { createNotes } from '#server/platform/base/notes.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { isStillSending, respondEarly } from '#server/platform/http/limits/linger.ts';
import type { PageBrand } from '#server/platform/http/pages/brand.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { StorageFault } from '#server/platform/storage/s3/fault.ts';
import { refusalPage } from './error-page.ts';
import { responseForm } from './response-form.ts';

/** Sends a successful response. */
export function sendData(response: Response, data: unknown): void {
  response.json({ status: true, message: 'ok', data });
}

/** Sends a refusal: as a page to a person who has followed a link, otherwise in the same envelope. */
export function sendError(response: Response, error: RequestError, brand: Pick<PageBrand, 'accent'>): void {
  const { retry_after } = error.details;
  if (retry_after !== undefined) response.setHeader('Retry-After', String(retry_after));
  response.setHeader('Cache-Control', 'no-store');
  response.status(error.status);
  if (isNavigation(response.req)) {
    const { html, policy } = refusalPage(error, response.req.acceptsLanguages('en', 'zh') === 'zh' ? 'zh' : 'en', brand);
    response.setHeader('Content-Security-Policy', policy);
    response.vary('Accept').vary('Accept-Language').type('html').send(html);
    return;
  }
  if (isStillSending(response.req)) respondEarly(response.req, response, error.envelope);
  else response.json(error.envelope);
}

/** Programs use the API, even those that send a browser's headers: below its prefix, every response is JSON. */
function isNavigation(request: Request): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  return isReading && !request.originalUrl.startsWith(`${API_PREFIX}/`) && responseForm(request) === 'page';
}

/** The headers that describe what a route was about to send, not the refusal in its place. */
const OF_CONTENT = [
  'Content-Type',
  'Content-Encoding',
  'Content-Range',
  'Content-Disposition',
  'Content-Length',
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
];

/** Handles API addresses without a route. */
export const apiNotFound: RequestHandler = () => {
  throw new NotFoundError('This API has no such route. See /docs/api.');
};

/**
 * Turns errors into responses. Errors that the request caused are 4xx; a full disk, or a database or storage that isn't available, is a
 * 507 or 503; everything else is a 500, whose cause is in the log under the same request_id.
 */
export function errorHandler(log: Logger, brand: () => Pick<PageBrand, 'accent'>): ErrorRequestHandler {
  const noteNowAndThen = createNotes();
  return (error: unknown, request, response, _next) => {
    if (error instanceof CallerGoneError) return void response.destroy();
    const refusal = toRefusal(error);
    const request_id = response.locals.requestId as string;
    const about = { request_id, method: request.method, path: withoutSecrets(request.path) };
    if (refusal instanceof BusyError)
      noteNowAndThen('', (turned_away) => log.warn({ turned_away }, 'too many requests at once; some were turned away'));
    else if (error instanceof BlobMissingError)
      // Anyone with the link can request a lost picture again and again. `pixdock verify` lists them all.
      noteNowAndThen(error.name, (failed) => log.error({ err: error, failed, ...about }, 'a stored picture is missing'));
    else if (!refusal || refusal.code === 'internal') log.error({ err: error, ...about }, 'request failed');
    else if (refusal.status >= 500) {
      const { kind, cause } = causeOf(error as Error);
      noteNowAndThen(kind, (refused) => log.warn({ status: refusal.status, cause, refused, ...about }, 'requests refused for now'));
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const header of OF_CONTENT) response.removeHeader(header);
    sendError(
      response,
      refusal ??
        new RequestError('internal', 'Something went wrong. Try again. If the problem persists, send the error ID to your administrator.', {
          request_id,
        }),
      brand(),
    );
  };
}

/** Why requests are refused for now. Messages of the system name files, which differ each time. */
function causeOf(error: Error): { kind: string; cause: string } {
  const cause = error instanceof StorageFault ? `${error.reason} (${error.detail})` : error.message;
  return { kind: error instanceof RequestError ? cause : String((error as NodeJS.ErrnoException).code ?? error.name), cause };
}

/** Deletion links contain a secret, which must not be logged. */
function withoutSecrets(path: string): string {
  return path.replace(/(\/delete\/[^/]+\/).+/, '$1…');
}

/** A refusal for an error that has a known meaning; undefined for a defect. */
function toRefusal(error: unknown): RequestError | undefined {
  if (error instanceof RequestError) return error;
  if (error instanceof ImageError) return new RequestError(error.code, error.message);
  const fault = databaseFault(error);
  if (fault === 'busy') return new RequestError('unavailable', 'The database is busy. Try again in a moment.', { retry_after: 2 });
  if (fault === 'unavailable')
    return new RequestError('unavailable', 'The database isn’t available at the moment. Try again in a few seconds.', { retry_after: 5 });
  if (fault === 'full' || (error as NodeJS.ErrnoException)?.code === 'ENOSPC' || (error as NodeJS.ErrnoException)?.code === 'EDQUOT') {
    return new RequestError('storage_full', 'The server’s disk is full, so nothing was stored. Free up space and try again.');
  }
  return fromHttpLibrary(error);
}

/** Errors of Express and its body parser have a status; their messages aren't shown. */
function fromHttpLibrary(error: unknown): RequestError | undefined {
  const { status, type } = (error ?? {}) as { status?: number; type?: string };
  if (type === 'entity.parse.failed') return new RequestError('invalid_request', 'The body isn’t valid JSON.');
  if (type === 'entity.too.large') return new RequestError('body_too_large', 'The body is too large.');
  if (error instanceof URIError || (status !== undefined && status >= 400 && status < 500))
    return new RequestError('invalid_request', 'Couldn’t read the request.');
  return undefined;
}

/** Gives every request an id for its response (`X-Request-Id`) and the log. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.locals.requestId = randomUUID();
  next();
};
