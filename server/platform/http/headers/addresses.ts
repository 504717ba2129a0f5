import type { Express, Request } from 'express';
import { LRUCache } from 'lru-cache';
import { plainOrigin } from '#api/url-forms.ts';
import { addressIn } from '#server/platform/base/network-of.ts';

/** Parsing takes longer than finding an image, and the values are few. */
const MAX_REMEMBERED = 100;

/**
 * Has an application read where requests come from and where they go in one place, before anything compares it: rate limits, sessions, the audit
 * log and the checks of `Host` and `Origin` get IP addresses without ports, and host names in one spelling, as `request.ip`, `request.host` and
 * `request.hostname`.
 * @param trusted addresses or networks of proxies whose `X-Forwarded-*` headers are read
 */
export function readAddresses(app: Express, trusted: readonly string[]): void {
  app.set('trust proxy', trusted.length > 0 ? trusted : false);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const trust = new LRUCache<string, boolean>({
    max: MAX_REMEMBERED,
    memoMethod(text) {
      const address = addressIn(text);
      return address !== undefined && isTrusted(address, 0);
    },
  });
  app.set('trust proxy', (address: string) => trust.memo(address));

  const express = Object.getPrototypeOf(app.request) as Request;
  const original = (request: Request, name: 'host' | 'protocol') => Reflect.get(express, name, request) as string | undefined;
  const spellings = new LRUCache<string, string>({
    max: MAX_REMEMBERED,
    // A malformed one is refused later, as it is.
    memoMethod: (address) => plainOrigin(URL.parse(address)?.origin ?? address).replace(/^https?:\/\//, ''),
  });
  const define = (name: string, get: (request: Request) => string | undefined) =>
    Object.defineProperty(app.request, name, {
      configurable: true,
      get(this: Request) {
        return get(this);
      },
    });

  // The nearest one that is an address, if a proxy doesn't know who sent it: nobody may become somebody else with each request.
  define('ip', ({ ips, socket }) => [...ips, socket.remoteAddress ?? ''].map(addressIn).find((address) => address !== undefined) ?? '');
  define('protocol', (request) => (original(request, 'protocol')?.toLowerCase() === 'https' ? 'https' : 'http'));
  define('host', (request) => {
    const host = original(request, 'host');
    return host && spellings.memo(`${request.protocol}://${host}`);
  });
}
