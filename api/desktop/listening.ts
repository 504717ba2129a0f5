/** What a service can listen on and links can start with. A file without schemas, for the web application and the service's start. */

/** TCP ports that need no administrator. */
export const PORTS = { min: 1024, max: 65_535 } as const;

const HOST = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

/** Whether links can start with a host: a host name or an IPv4 address. */
export const isLinkHost = (host: string): boolean => host.length <= 253 && HOST.test(host);
