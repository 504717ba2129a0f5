import ipaddr from 'ipaddr.js';

/** The network that rate limits count as one client: an IPv4 address, or the /64 network that a single IPv6 subscriber controls. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, 4).join(':');
}

/**
 * What one customer may have: the /48 of an IPv6 network from {@link networkOf}, since providers assign up to 65,536 networks at once. Anything
 * else is returned unchanged.
 * @param caller a network or a user, whose name may begin with its kind
 */
export function siteOf(caller: string): string {
  return caller.split(':').slice(0, 3).join(':');
}
