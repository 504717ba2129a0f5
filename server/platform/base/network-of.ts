import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The IP address in what a socket or a proxy says about a client, in its one spelling: proxies may add a port, brackets and quotes, and IPv4
 * addresses come as IPv6. Undefined where there is none, such as `unknown`.
 */
export function addressIn(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed] = /^\[(.*)\](?::\d*)?$/.exec(bare) ?? [];
  const candidates = bracketed === undefined ? [bare, bare.replace(/:\d+$/, '')] : [bracketed];
  const address = candidates.map((one) => one.replace(/%.*$/, '')).find((one) => isIP(one) > 0);
  return address && ipaddr.process(address).toString();
}

/** Whether a text is an IP address, or a network such as `10.0.0.0/24`. */
export const isAddressOrNetwork = (text: string): boolean => isIP(text) > 0 || ipaddr.isValidCIDR(text);

/** The network that rate limits count as one client: an IPv4 address, or the /64 network that a single IPv6 subscriber controls. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, 4).join(':');
}

/** Whether two addresses are of one network: the same, or both local ones, whose networks they don't tell. */
export function isSameNetwork(one: string, other: string): boolean {
  return networkOf(one) === networkOf(other) || (isLocal(one) && isLocal(other));
}

const LOCAL = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);
const isLocal = (address: string) => ipaddr.isValid(address) && LOCAL.has(ipaddr.process(address).range());

/**
 * What one customer may have: the /48 of an IPv6 network from {@link networkOf}, since providers assign up to 65,536 networks at once. Anything
 * else is returned unchanged.
 * @param caller a network or a user, whose name may begin with its kind
 */
export function siteOf(caller: string): string {
  return caller.split(':').slice(0, 3).join(':');
}
