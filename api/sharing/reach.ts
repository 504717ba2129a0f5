/** Who can open a public link, as far as its address tells: this computer, those on its network, or anyone. */
export type Reach = 'computer' | 'network' | 'internet';

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/;
/** Private, shared and link-local addresses (RFC 1918, 6598, 3927, 4193 and 4291). */
const LOCAL_ADDRESS =
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+){2,3}$|^\[f([cd]..|e[89ab].):/;
/** Names without a dot, and domains that the internet doesn't have: `.local` (RFC 6762), `home.arpa` (RFC 8375), `.internal`, and those that routers use. */
const LOCAL_NAME = /^[^.[]+$|\.(local|home\.arpa|internal|lan|home|localdomain|intranet|corp)$/;

/** @param link an absolute address */
export function reachOf(link: string): Reach {
  const { hostname } = new URL(link);
  if (LOOPBACK.test(hostname)) return 'computer';
  return LOCAL_ADDRESS.test(hostname) || LOCAL_NAME.test(hostname) ? 'network' : 'internet';
}
