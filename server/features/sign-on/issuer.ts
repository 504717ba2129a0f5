import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { InvalidRequestError } from '#server/platform/base/errors.ts';

/** Whether an address is safe for sign-ons: https, or http on this machine. */
export function isSecure(address: string): boolean {
  const url = new URL(address);
  return url.protocol === 'https:' || isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) > 0 && ipaddr.process(host).range() === 'loopback');
}

/** Microsoft's sign-in hosts, of all its clouds. */
const ENTRA = /(^|\.)(microsoftonline(-p)?\.(com|us|de)|partner\.microsoftonline\.cn|windows\.net|chinacloudapi\.cn)$/;
const ANY_TENANT = /^\/(common|organizations|consumers)(\/|$)/i;
const TEMPLATE = /\{|%7b/i;

/** Whether an issuer signs in users of any organisation: Entra's `common` and the like, or a template such as `{tenantid}`. */
export function isMultiTenant(issuer: string): boolean {
  const url = URL.parse(issuer);
  if (!url) return false;
  return TEMPLATE.test(url.pathname) || (ENTRA.test(url.hostname) && ANY_TENANT.test(url.pathname));
}

/** @throws InvalidRequestError for an issuer that anyone could have an account with, unless tenants are named */
export function requireNamedTenants({ issuer, allowedTenants }: { issuer: string; allowedTenants: string[] }): void {
  if (!isMultiTenant(issuer) || allowedTenants.length > 0) return;
  throw new InvalidRequestError(
    'With this issuer, users of any organisation could sign in. Enter your own tenant’s issuer, or enter the allowed tenants.',
    { field: 'issuer', problem: 'multi_tenant_issuer' },
  );
}

/** @throws InvalidRequestError for an http issuer on another machine, unless the admin allows it */
export function requireAllowedIssuer({ issuer, allowInsecureIssuer }: { issuer: string; allowInsecureIssuer: boolean }): void {
  if (issuer === '' || allowInsecureIssuer || isSecure(issuer)) return;
  throw new InvalidRequestError(
    'This issuer uses plain http, so an attacker on the network could sign in as someone else. Use its https address, or turn on “Allow an unencrypted issuer”.',
    { field: 'issuer', problem: 'insecure_issuer' },
  );
}
