import type { Request } from 'express';
import { coversHost, hostName } from '#api/url-forms.ts';
import type { Context } from '#server/core/context.ts';
import { RequestError } from '#server/platform/base/errors.ts';

type Parts = Pick<Context, 'ownHosts' | 'settings'>;

/** Whether only some sites may show pictures. */
export const limitsSites = (settings: Context['settings']) => settings.current().hotlink_sites !== null;

/** Whether a page that isn't listed shows a picture. Requests that don't say where they come from aren't from a page. */
export function isHotlink({ ownHosts, settings }: Parts, { headers, hostname }: Pick<Request, 'headers' | 'hostname'>): boolean {
  const { hotlink_sites: sites } = settings.current();
  if (sites === null) return false;
  const { referer, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin' || site === 'none') return false;
  if (!referer) return site !== undefined;
  const host = hostName(URL.parse(referer)?.hostname ?? '');
  return !host || !(host === hostName(hostname) || ownHosts().includes(host) || sites.some((listed) => coversHost(listed, host)));
}

export const hotlinkRefused = () =>
  new RequestError('hotlink_refused', 'This site’s pictures can’t be shown on other sites. Link to the picture instead.');
