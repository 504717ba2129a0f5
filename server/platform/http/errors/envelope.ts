import { createHash, randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { API_PREFIX } from '#api/constants.ts';
import type { ErrorCode } from '#api/errors.ts';
import { BusyError, CallerGoneError, NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { createNotes } from '#server/platform/base/notes.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { accentRule, type PageBrand } from '#server/platform/http/pages/brand.ts';
import { escapeHtml } from '#server/platform/http/pages/html.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { StorageFault } from '#server/platform/storage/s3/fault.ts';
import { errorPages as en } from '#texts/en/errors.ts';
import { errorPages as zh } from '#texts/zh/errors.ts';
import { isStillSending, respondEarly } from './linger.ts';
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
export function toRefusal(error: unknown): RequestError | undefined {
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

type PageLanguage = 'en' | 'zh';

/** Codes after which this service has no page to offer: the link to its home page would be refused, too. */
const WITHOUT_WAY_ON: ReadonlySet<ErrorCode> = new Set(['unknown_host', 'unavailable']);

const STYLE = `:root{color-scheme:light dark;--ground:#fff;--text:#1a2326;--soft:#586a6f;--accent:#125d69;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#131a1c;--text:#dbe3e5;--soft:#94a5a9;--accent:#1d7f8d}}
*{box-sizing:border-box}
body{display:grid;place-items:center;min-height:100vh;min-height:100dvh;margin:0;padding:2rem 1.25rem 12vh;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif}
main{max-width:27rem;text-align:center}
h1{margin:1.5rem 0 .5rem;font-size:1.375rem;font-weight:620;line-height:1.25;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty;overflow-wrap:anywhere}
p+p{margin-top:.75rem}
a{display:inline-block;margin-top:1.5rem;padding:.55rem 1.1rem;border-radius:9px;background:var(--accent);color:var(--on);font-weight:560;text-decoration:none}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
small{display:block;margin-top:2rem;color:var(--soft);font-size:.8125rem}`;

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="56" height="56" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#125d69"/><path d="M8 8.5h16v10l-4.2-4.2a1.6 1.6 0 0 0-2.3 0l-3.6 3.7-1.4-1.4a1.6 1.6 0 0 0-2.3 0L8 18.8z" fill="#fff"/><path d="M6.5 20.5v2.2a2.3 2.3 0 0 0 2.3 2.3h14.4a2.3 2.3 0 0 0 2.3-2.3v-2.2" fill="none" stroke="#a8d5db" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/** Only this page's own style and icon: no scripts, requests, forms or frames. */
const policyFor = (style: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');

/** A refusal as a page for people, and the content policy it needs. It requests nothing, since other requests may be refused as well. */
function refusalPage(error: RequestError, language: PageLanguage, { accent }: Pick<PageBrand, 'accent'>): { html: string; policy: string } {
  const style = STYLE + accentRule(accent, 'fill');
  const { codes, request, service, wayOn, errorId } = language === 'zh' ? zh : en;
  // English has the error's own sentence where there is no better one; so do rare codes in Chinese.
  const { title, text } = codes[error.code] ?? { title: error.status < 500 ? request : service, text: error.message };
  const { request_id } = error.details;
  const html = `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Pixdock</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style>${style}</style>
</head>
<body>
<main>
${MARK}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${WITHOUT_WAY_ON.has(error.code) ? '' : `<a href="/">${escapeHtml(wayOn)}</a>`}
${request_id === undefined ? '' : `<small>${escapeHtml(errorId)} ${escapeHtml(request_id)}</small>`}
</main>
</body>
</html>
`;
  return { html, policy: policyFor(style) };
}
