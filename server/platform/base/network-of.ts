import ipaddr from 'ipaddr.js';

/** What limits count as one caller: an IPv4 address, or the /64 network that a single IPv6 subscriber has at will. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, 4).join(':');
}
