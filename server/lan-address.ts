import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';

/** Network adapters of containers, virtual machines and tunnels. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|vethernet|wsl|tun|tap|utun|wg|tailscale|zt|ppp|lxc|lxd|cni|flannel)/i;

/**
 * The address at which other devices on the network reach this machine: that of the default route's adapter unless it is virtual,
 * otherwise of the first real adapter; undefined without a network.
 */
export async function findLanAddress(): Promise<string | undefined> {
  const candidates = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    VIRTUAL.test(name) ? [] : (addresses ?? []).filter((entry) => entry.family === 'IPv4' && !entry.internal).map((entry) => entry.address),
  );
  const byRoute = await defaultRouteAddress();
  return byRoute && candidates.includes(byRoute) ? byRoute : candidates[0];
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
