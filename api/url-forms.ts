/** A host name of a URL in the one form in which all are compared: lower case, without an IPv6 address's brackets and the dot that may end a name. */
export const hostName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** An origin in the form in which all are compared, as {@link hostName}. */
export const plainOrigin = (origin: string): string => origin.toLowerCase().replace(/\.(?=(?::\d+)?$)/, '');

/** The normalised origin of an address; undefined when it isn't an http(s) address, is a pattern, or has a path, query or user. */
export function toOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password || url.hostname.includes('*')) return undefined;
  return plainOrigin(url.origin);
}

/** Whether a listed host name is this one, in its plain form; `*.example.org` covers the hosts below it. */
export const coversHost = (listed: string, host: string): boolean =>
  listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed;

/** The same for origins: `https://*.example.org` covers those below it with the same scheme and port. */
export function coversOrigin(listed: string, origin: string): boolean {
  const [scheme = '', below] = listed.split('*', 2);
  return below === undefined ? origin === listed : origin.startsWith(scheme) && origin.endsWith(below) && origin.length >= listed.length;
}

/**
 * A path, which a query may follow, in the form in which all are compared: letters, digits, `-`, `.`, `_` and `~` mean the same when they
 * are encoded (RFC 3986, section 6.2.2.2).
 */
export function plainPath(path: string): string {
  if (!path.includes('%')) return path;
  const end = path.indexOf('?');
  const decoded = (end < 0 ? path : path.slice(0, end)).replace(UNRESERVED, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  return end < 0 ? decoded : decoded + path.slice(end);
}

const UNRESERVED = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;
