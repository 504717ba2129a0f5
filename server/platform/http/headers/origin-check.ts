import type { Request, RequestHandler } from 'express';
import { plainOrigin } from '#api/url-forms.ts';
import { RequestError } from '#server/platform/base/errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that another site makes a browser send. Browsers never send bearer tokens automatically, so those are
 * exempt; a request with neither header isn't from a browser.
 * @param baseUrl the configured base URL, the origin of requests through a proxy
 */
export function originCheck(baseUrl: () => string | undefined): RequestHandler {
  return (request, _response, next) => {
    if (SAFE_METHODS.has(request.method) || request.headers.authorization !== undefined) return next();
    if (!isForeign(request, baseUrl())) return next();
    throw rejected();
  };
}

/**
 * Refuses a request for something costly that another site makes a browser send, even if it only reads.
 * @throws RequestError `cross_site`
 */
export function requireOwnSite(request: Request): void {
  if (isFromOtherSite(request)) throw rejected();
}

function isFromOtherSite({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

const rejected = () => new RequestError('cross_site', 'This request came from another site and was rejected. Open Pixdock and try again.');

function isForeign(request: Request, baseUrl: string | undefined): boolean {
  if (isFromOtherSite(request)) return true;
  if (request.headers.origin === undefined) return false;
  const origin = plainOrigin(request.headers.origin);
  return origin !== `${request.protocol}://${request.host}` && origin !== baseUrl;
}
