/** What a service can listen on, what its links can start with, and what addresses lead to. A file without schemas, for the web application and the service's start. */

/** TCP ports that need no administrator. */
export const PORTS = { min: 1024, max: 65_535 } as const;

/** Ports of other services, which browsers refuse to open whatever runs there (the Fetch standard's “bad ports”). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Whether browsers open pages and pictures on a port. */
export const canOpenPort = (port: number): boolean => !BLOCKED_PORTS.has(port);

const HOST = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

/** Whether links can start with a host: a host name or an IPv4 address. */
export const isLinkHost = (host: string): boolean => host.length <= 253 && HOST.test(host);

/** Whether only the computer itself can reach a host, as URLs spell it. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** Whether a host, as URLs spell it, is one of a local network: an IP address, or a name without a public ending. */
export const isLocalHost = (host: string): boolean => /^[\d.]+$|^\[|\.local$|^[^.]+$/.test(host);
