import type { Request } from 'express';
import type { Context } from '#server/core/context.ts';
import { RequestError } from '#server/platform/base/errors.ts';

type Parts = Pick<Context, 'config' | 'links' | 'settings'>;

/** Whether only some sites may show pictures. */
export const limitsSites = (settings: Context['settings']) => settings.current().hotlink_sites !== null;

/** Whether a page that isn't listed shows a picture. Requests that don't say where they come from aren't from a page. */
export function isHotlink({ config, links, settings }: Parts, { headers, hostname }: Pick<Request, 'headers' | 'hostname'>): boolean {
  const { hotlink_sites: sites, former_hosts } = settings.current();
  if (sites === null) return false;
  const { referer, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin' || site === 'none') return false;
  if (!referer) return site !== undefined;
  const host = URL.parse(referer)?.hostname.toLowerCase();
  const own = [hostname.toLowerCase(), new URL(links.address()).hostname, ...config.allowedHosts, ...former_hosts];
  return !host || !(own.includes(host) || sites.some((listed) => covers(listed, host)));
}

/** `*.example.org` covers the hosts below it. */
const covers = (listed: string, host: string) => (listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed);

export const hotlinkRefused = () =>
  new RequestError('hotlink_refused', 'This site’s pictures can’t be shown on other sites. Link to the picture instead.');
