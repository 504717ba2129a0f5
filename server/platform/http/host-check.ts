import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';

/** The host of a `Host` header without its port: lower case, IPv6 without brackets; undefined when malformed. */
export function hostOf(header: string | undefined): string | undefined {
  if (!header || /[\s/@?#\\]/.test(header)) return undefined;
  const url = URL.parse(`http://${header}`);
  return url ? url.hostname.replace(/^\[|\]$/g, '').toLowerCase() : undefined;
}

/** Parsing the header costs more than finding an image, and its values are few. */
const MAX_REMEMBERED = 100;

/**
 * Refuses requests to foreign host names. DNS rebinding needs a name of the attacker's; IP addresses, this machine's own
 * names and the configured ones are safe.
 * @param extraHosts read per request, since the base URL can change while the service runs
 */
export function hostCheck(extraHosts: () => string[]): RequestHandler {
  const machine = hostname()
    .toLowerCase()
    .replace(/\.local$/, '');
  const own = new Set(['localhost', machine, `${machine}.local`]);
  const hosts = new LRUCache<string, string>({ max: MAX_REMEMBERED, memoMethod: (header) => hostOf(header) ?? '' });
  return (request, _response, next) => {
    if (request.headers.host === undefined) throw new InvalidRequestError('The request has no Host header.');
    const host = hosts.memo(request.host ?? ''); // X-Forwarded-Host from a configured proxy, else Host
    if (host && (isIP(host) || own.has(host) || extraHosts().includes(host))) return next();
    throw new RequestError(
      'unknown_host',
      'Pixdock isn’t configured for this address. Use the address shown when Pixdock starts, or add this one to PIXDOCK_ALLOWED_HOSTS.',
    );
  };
}
