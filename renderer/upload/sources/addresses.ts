/** The addresses that are fetched at once at most. */
export const MAX_ADDRESSES = 20;

/** The web addresses in a text with one per line; undefined if there is anything else in it. */
export function addressesIn(text: string): string[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.length > 0 && lines.length <= MAX_ADDRESSES && lines.every(isWebAddress) ? [...new Set(lines)] : undefined;
}

/** Whether the service could fetch from an address: http or https with a host. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Whether an address leads to a picture or a share page of this site. */
export function isOwnLink(address: string, origins: readonly (string | null | undefined)[]): boolean {
  const { origin, pathname } = new URL(address);
  return origins.includes(origin) && /^\/[its]\/[^/]+$/.test(pathname);
}

/** The name to show for a picture until it has been fetched. */
export function nameOfAddress(address: string): string {
  const { pathname, host } = new URL(address);
  const last = pathname.split('/').at(-1);
  if (!last) return host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // a stray percent sign
  }
}
