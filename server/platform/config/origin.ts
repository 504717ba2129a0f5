/** The origin that a text names, in its normal form; undefined when it is no http(s) address, or has a path, a query or a user in it. */
export function toOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password ? url.origin : undefined;
}
