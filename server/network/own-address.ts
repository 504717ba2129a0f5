import { isLinkHost } from '#api/desktop/listening.ts';
import { withFormerHost } from '#server/core/settings/former-hosts.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { findLanAddress } from './lan-address.ts';
import { isWildcard, reachableHere } from './listening.ts';

/** The link address of a service without a base URL. */
export interface OwnAddress {
  current(): string;
  /** Follows the address that the server listens on. The one on the network is chosen once and kept, since links are promises. */
  follow(host: string, port: number): Promise<void>;
  /**
   * Changes the host name or IPv4 address of links on the network. The former one stays accepted.
   * @throws RequestError `invalid_request`
   */
  choose(host: string): Promise<void>;
}

export function createOwnAddress(settings: () => SettingsStore): OwnAddress {
  let listening = { host: '127.0.0.1', port: 0 };
  let current = '';

  async function update() {
    const { host, port } = listening;
    const kept = settings().current().lan_address;
    const address = isWildcard(host) ? (kept ?? (await findLanAddress())) : undefined;
    if (address && !kept) await settings().change('start', { lan_address: address });
    current = `http://${address ?? reachableHere(host)}:${port}`;
  }

  return {
    current: () => current,
    follow(host, port) {
      listening = { host, port };
      return update();
    },
    async choose(host) {
      if (!isLinkHost(host))
        throw new RequestError('invalid_request', `“${host}” isn’t a host name or an IPv4 address.`, { field: 'host' });
      const next = host.toLowerCase();
      const { lan_address, former_hosts } = settings().current();
      if (next !== lan_address) {
        await settings().change('start', { lan_address: next, former_hosts: withFormerHost(former_hosts, lan_address, next) });
      }
      await update();
    },
  };
}

/** @throws Error with a sentence when links can't start with an address, as with settings from elsewhere */
export function requireLinkAddress(address: string): void {
  if (!URL.canParse(address)) throw new Error(`Links can’t start with “${address}”.`);
}
