import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { OidcProvider } from './provider.ts';

/** Whether an address is safe for sign-ons: https, or http on this machine. */
export function isSecure(address: string): boolean {
  const url = new URL(address);
  return url.protocol === 'https:' || isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) > 0 && ipaddr.process(host).range() === 'loopback');
}

/** @throws InvalidRequestError for an http issuer on another machine, unless the admin allows it */
export function requireAllowedIssuer({ issuer, allowInsecureIssuer }: Pick<OidcProvider, 'issuer' | 'allowInsecureIssuer'>): void {
  if (issuer === '' || allowInsecureIssuer || isSecure(issuer)) return;
  throw new InvalidRequestError(
    'This issuer uses plain http, so an attacker on the network could sign in as someone else. Use its https address, or turn on “Allow an unencrypted issuer”.',
    { field: 'issuer', problem: 'insecure_issuer' },
  );
}
