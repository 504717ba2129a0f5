import { z } from 'zod';
import { giveUpToken } from '#api/auth/devices.ts';
import { createClient } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { isLocalHost } from '#api/desktop/listening.ts';
import { DEFAULT_PORT } from '#server/platform/config/config.ts';

/** The time that a host has to respond. */
const HOST_LIMIT_MS = 10_000;

/**
 * The origin of an address as a person types it: the scheme may be missing, and with it the port. Undefined if it isn't one.
 * Without a scheme, names with a public ending are taken as they are; IP addresses and local names get Pixdock's own port.
 */
export function hostAddress(typed: string): string | undefined {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `http://${text}`);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '' || url.username || url.password) return undefined;
  if (!hasScheme && url.port === '' && isLocalHost(url.hostname) && !/:80(\/|$)/.test(text)) url.port = String(DEFAULT_PORT);
  return url.origin;
}

/** A client for a host that is not this app's own service: no redirects, since they would send the token elsewhere, and a time limit. */
export function hostClient(url: string, token?: string) {
  return createClient({
    baseUrl: url,
    ...(token !== undefined && { token }),
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error', signal: AbortSignal.timeout(HOST_LIMIT_MS) }),
  });
}

const identity = z.object({ instance_id: z.string().min(1).max(100), site_name: z.string().max(1000), setup_required: z.boolean() });
export type HostIdentity = z.infer<typeof identity>;

/** What a host says about itself; undefined if it isn't a Pixdock server, or one that can't be joined. */
export async function identify(url: string): Promise<HostIdentity | undefined> {
  return identity.safeParse(await hostClient(url).call(getConfig, {})).data;
}

/** Revokes a token on its host. */
export function revokeOnHost(url: string, token: string): Promise<unknown> {
  return hostClient(url, token).call(giveUpToken, {});
}
