import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Request, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { hostName } from '#api/url-forms.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';

/** The host of a `Host` header without its port, as all are compared; undefined when malformed. */
export function hostOf(header: string | undefined): string | undefined {
  if (!header || /[\s/@?#\\]/.test(header)) return undefined;
  const url = URL.parse(`http://${header}`);
  return url ? hostName(url.hostname) : undefined;
}

interface KnownHost {
  name: string | undefined;
  /** An IP address or a name of this machine, which are always accepted. */
  isOwn: boolean;
}

/** Parsing the header costs more than finding an image, and its values are few. */
const MAX_REMEMBERED = 100;

/**
 * Whether a request's host name is one of the service's. DNS rebinding needs a name of the attacker's; IP addresses, this machine's own
 * names and the configured ones are safe.
 * @param extraHosts read per request, since the link address can change while the service runs
 */
export function createHostRule(extraHosts: () => readonly string[]): (request: Request) => boolean {
  const machine = hostname()
    .toLowerCase()
    .replace(/\.local$/, '');
  const own = new Set(['localhost', machine, `${machine}.local`]);
  const hosts = new LRUCache<string, KnownHost>({
    max: MAX_REMEMBERED,
    memoMethod(header) {
      const name = hostOf(header);
      return { name, isOwn: name !== undefined && (isIP(name) !== 0 || own.has(name)) };
    },
  });
  const isKnown = (header: string) => {
    const { name, isOwn } = hosts.memo(header);
    return isOwn || (name !== undefined && extraHosts().includes(name));
  };
  // A configured proxy may pass on the X-Forwarded-Host of a page that rebinds its name; such a page can't choose its Host.
  return ({ host = '', headers }) => isKnown(host) && (headers.host === host || isKnown(headers.host ?? ''));
}

/** Refuses requests to foreign host names. */
export function hostCheck(isOwnHost: (request: Request) => boolean): RequestHandler {
  return (request, _response, next) => {
    if (request.headers.host === undefined) throw new InvalidRequestError('The request has no Host header.');
    if (isOwnHost(request)) return next();
    throw new RequestError(
      'unknown_host',
      'Pixdock isn’t configured for this address. Use the address shown when Pixdock starts, or add this one to PIXDOCK_ALLOWED_HOSTS.',
    );
  };
}
