import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RequestError } from '#server/platform/base/errors.ts';

/** An address that a name stands for. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Finds all addresses of a host name. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export const resolveBySystem: Resolve = async (host) => (await systemLookup(host, { all: true })) as ResolvedAddress[];

const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet. Everything with a meaning of its own is not: loopback, private and
 * link-local networks, multicast, carrier NAT, documentation, and every IPv6 form that wraps an IPv4 address (mapped
 * ones count as what they wrap; NAT64, 6to4, Teredo and the rest are refused).
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(PUBLIC_IPV6 as [ipaddr.IPv6, number]);
}

/** What may be connected to: the public internet, and what an admin has listed. */
export interface AddressRules {
  /** Whether the host of an address bar may be used without looking at what it resolves to. */
  allowsHost(host: string): boolean;
  /** Whether a connection to this IP address is fine. */
  allowsAddress(address: string): boolean;
}

/** Entries are host names, IP addresses or networks such as `10.1.0.0/16`; see {@link isAllowListEntry}. */
export function createAddressRules(allowList: readonly string[]): AddressRules {
  const networks = allowList.map(toNetwork).filter((network) => network !== undefined);
  const names = new Set(allowList.filter((entry) => !toNetwork(entry)).map((name) => name.toLowerCase()));
  return {
    allowsHost: (host) => names.has(host.toLowerCase().replace(/\.$/, '')),
    allowsAddress(text) {
      if (isPublic(text)) return true;
      if (!ipaddr.isValid(text)) return false;
      const address = ipaddr.process(text);
      return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
    },
  };
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/** Whether a text can stand in the admin's list. */
export function isAllowListEntry(text: string): boolean {
  return toNetwork(text) !== undefined || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text));
}

function toNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * The addresses of `host` that may be connected to. A host written as an address is judged as it stands.
 * @throws RequestError `url_not_allowed` when there is none, `url_unreachable` when the name is unknown
 */
export async function allowedAddresses(host: string, rules: AddressRules, resolve: Resolve): Promise<ResolvedAddress[]> {
  const bare = host.replace(/^\[|\]$/g, '');
  const family = isIP(bare);
  const all = family ? [{ address: bare, family: family as 4 | 6 }] : await resolveName(bare, resolve);
  const allowed = rules.allowsHost(bare) ? all : all.filter(({ address }) => rules.allowsAddress(address));
  if (allowed.length > 0) return allowed;
  throw new RequestError('url_not_allowed', `${bare} isn’t on the public internet. An administrator can allow it in the settings.`, {
    field: 'url',
    problem: 'private_address',
  });
}

async function resolveName(host: string, resolve: Resolve): Promise<ResolvedAddress[]> {
  const found = await resolve(host).catch(() => []); // why a name is unknown is of no use to whoever typed it
  if (found.length > 0) return found;
  throw new RequestError('url_unreachable', `There’s no host named ${host}. Check the address.`, { field: 'url' });
}
