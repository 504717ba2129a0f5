/** Older host names are dropped. */
const MAX_FORMER_HOSTS = 20;

/** Adds the host name that links no longer start with to the former ones, which stay accepted; the new one isn't a former one. */
export function withFormerHost(former: readonly string[], left: string | null, next: string | null): string[] {
  const hosts = [left, ...former].filter((host): host is string => !!host && host !== next);
  return [...new Set(hosts)].slice(0, MAX_FORMER_HOSTS);
}
