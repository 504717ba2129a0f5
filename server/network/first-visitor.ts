import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressIn } from '#server/platform/base/network-of.ts';

/** Adapters to containers and virtual machines inside this computer: those aren't other devices. */
const INSIDE = /^(docker|br-|veth|virbr|vmnet|vmware|vboxnet|virtualbox|vethernet|hyper-v|wsl|lxc|lxd|cni|flannel)/i;

/**
 * Reports the IP address of the first other device that sends a request. After that, requests cost nothing more.
 * @returns a function that ends the wait
 */
export function awaitVisitor(server: Server, report: (address: string) => void): () => void {
  let own = ownAddresses();
  function look({ socket: { remoteAddress } }: IncomingMessage) {
    const address = addressIn(remoteAddress ?? '');
    if (!address || isIn(own, address)) return;
    own = ownAddresses(); // this computer may have got another address
    if (isIn(own, address)) return;
    end();
    report(address);
  }
  const end = () => void server.off('request', look);
  server.on('request', look);
  return end;
}

function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const [adapter, entries] of Object.entries(networkInterfaces())) {
    for (const { address, cidr, family } of entries ?? []) {
      const type = family === 'IPv6' ? 'ipv6' : 'ipv4';
      list.addAddress(address, type);
      const prefix = cidr?.split('/')[1];
      if (prefix && INSIDE.test(adapter)) list.addSubnet(address, Number(prefix), type);
    }
  }
  return list;
}

const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
