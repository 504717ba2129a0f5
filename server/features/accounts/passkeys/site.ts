import { isIP } from 'node:net';
import type { Request } from 'express';
import { hostName } from '#api/url-forms.ts';

/** Where a passkey is created or used. */
export interface PasskeySite {
  origin: string;
  /** The host name that passkeys are bound to. */
  host: string;
}

/**
 * The address of a request, if it allows passkeys: browsers offer them for a host name over https, or for localhost.
 * @param baseUrl the configured base URL, the origin of requests through a proxy
 */
export function passkeySite({ protocol, host }: Pick<Request, 'protocol' | 'host'>, baseUrl: string | undefined): PasskeySite | undefined {
  const own = URL.parse(`${protocol}://${host}`);
  const configured = baseUrl === undefined ? undefined : new URL(baseUrl);
  const url = configured?.host === own?.host ? configured : own;
  if (!url || isIP(hostName(url.hostname)) > 0) return undefined;
  return url.protocol === 'https:' || url.hostname === 'localhost' ? { origin: url.origin, host: url.hostname } : undefined;
}
