import type { Request } from 'express';

/** Ports and credentials never belong to a host name; an IPv6 address has brackets. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])$/;

/**
 * The host name of the page that a request came from, in lower case; undefined without one, and for a page of this service. Nothing else
 * of the address is read: its path may say more about a person than the owner of a picture needs to know.
 */
export function referrerHost({ headers }: Pick<Request, 'headers'>): string | undefined {
  const { referer } = headers;
  const start = referer?.startsWith('https://') ? 8 : referer?.startsWith('http://') ? 7 : 0;
  if (!referer || !start) return undefined;
  const end = referer.indexOf('/', start);
  const authority = end < 0 ? referer.slice(start) : referer.slice(start, end);
  const host = withoutPort(authority);
  return HOST.test(host) && host !== withoutPort(headers.host ?? '') ? host : undefined;
}

/** A host name in one spelling: this service is the same site under another port. */
const withoutPort = (authority: string) => authority.toLowerCase().replace(/\.?(?::\d*)?$/, '');
