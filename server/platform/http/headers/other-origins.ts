import { type IRouter, type RequestHandler, Router } from 'express';
import type { Route } from '#api/contract.ts';
import { coversOrigin, plainOrigin } from '#api/url-forms.ts';

/** What a script of another site may send and read. */
const ALLOWED = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED = 'Retry-After';
const PREFLIGHT_SECONDS = '600';

type Origins = () => readonly string[];

function isListed(sent: string, origins: Origins): boolean {
  const origin = plainOrigin(sent);
  return origins().some((listed) => coversOrigin(listed, origin));
}

/** Lets scripts of the listed origins read responses to requests with a bearer token; never with cookies, which browsers send by themselves. */
export function allowOrigins(origins: Origins): RequestHandler {
  return ({ headers }, response, next) => {
    const { origin, authorization = '' } = headers;
    if (origin !== undefined && /^Bearer /i.test(authorization) && isListed(origin, origins)) {
      response.vary('Origin');
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    }
    next();
  };
}

/** Answers the question that browsers ask before such a request, for the routes that take tokens of users. */
export function preflights(routes: readonly Route[], origins: Origins): IRouter {
  const router = Router({ caseSensitive: true, strict: false });
  const methods = new Map<string, string[]>();
  for (const { path, method, access, uploadScope } of routes)
    if (access === 'user' || uploadScope) methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const [path, allowed] of methods)
    router.options(path, ({ headers }, response, next) => {
      const { origin, 'access-control-request-method': wanted = '' } = headers;
      if (origin === undefined || !isListed(origin, origins) || !allowed.includes(wanted)) return next();
      response.vary('Origin');
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Allow-Methods', allowed.join(', '));
      response.setHeader('Access-Control-Allow-Headers', ALLOWED);
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
      response.status(204).end();
    });
  return router;
}
