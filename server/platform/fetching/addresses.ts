import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RequestError } from '#server/platform/base/errors.ts';

/** An address that a host name resolves to. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export const resolveBySystem: Resolve = async (host) => (await systemLookup(host, { all: true })) as ResolvedAddress[];

/** The platform services of a cloud, at an address that looks public: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const PLATFORM = '168.63.129.16';
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is on the public internet. Special addresses aren't: loopback, private and
 * link-local networks, multicast, carrier NAT, documentation, and every IPv6 form that wraps an IPv4 address (mapped
 * ones count as the address they wrap; NAT64, 6to4, Teredo and the rest are refused).
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || address.toString() === PLATFORM) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(PUBLIC_IPV6 as [ipaddr.IPv6, number]);
}

/** The addresses that the service may connect to: the public internet, and those that an admin has allowed. */
export interface AddressRules {
  /** Whether a host may be used whatever it resolves to. */
  allowsHost(host: string): boolean;
  /** Whether the service may connect to this IP address. */
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

/** Whether a text is a valid entry of the admin's list. */
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
 * The addresses of `host` that the service may connect to. IP addresses are checked without resolving.
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
  const found = await resolve(host).catch(() => []); // the reason doesn't help the user
  if (found.length > 0) return found;
  throw new RequestError('url_unreachable', `There’s no host named ${host}. Check the address.`, { field: 'url' });
}
