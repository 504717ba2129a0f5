import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';

/** Network adapters of containers, virtual machines and tunnels. */
const VIRTUAL =
  /^(docker|br-|veth|virbr|vmnet|vmware|vboxnet|virtualbox|vethernet|hyper-v|wsl|tun|tap|utun|wg|tailscale|zt|zerotier|openvpn|ppp|lxc|lxd|cni|flannel|awdl|llw|bluetooth)/i;

/** An address of this computer on the local network. */
export interface LanAddress {
  /** IPv4. */
  address: string;
  /** The system's name of the network adapter. */
  adapter: string;
}

/**
 * The addresses at which other devices on the network may reach this machine, the best first: that of the default route's adapter
 * unless it is virtual, then those of the other real adapters; empty without a network.
 */
export async function lanAddresses(): Promise<LanAddress[]> {
  const candidates = Object.entries(networkInterfaces()).flatMap(([adapter, entries]) =>
    VIRTUAL.test(adapter) ? [] : (entries ?? []).filter(isUsable).map(({ address }) => ({ address, adapter })),
  );
  const byRoute = await defaultRouteAddress();
  return candidates.sort((one, other) => Number(other.address === byRoute) - Number(one.address === byRoute));
}

/** The first of {@link lanAddresses}. */
export async function findLanAddress(): Promise<string | undefined> {
  return (await lanAddresses())[0]?.address;
}

/** 169.254.0.0/16: the adapter has found no network. */
function isUsable({ family, internal, address }: { family: string; internal: boolean; address: string }) {
  return family === 'IPv4' && !internal && !address.startsWith('169.254.');
}

/** Connecting a datagram socket sends nothing but makes the system choose an adapter. 192.0.2.1 is a documentation address. */
function defaultRouteAddress(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const finish = (address?: string) => {
      socket.close();
      resolve(address);
    };
    socket.once('error', () => finish()); // no route: there is no network
    socket.connect(9, '192.0.2.1', () => finish(socket.address().address));
  });
}
