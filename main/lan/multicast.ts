import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Reason } from '#main/base/reasons.ts';
import { mayLackLocalNetwork } from '#main/base/system/local-network.ts';

/** The group and port of mDNS (RFC 6762). */
export const GROUP = '224.0.0.251';
export const PORT = 5353;

/** A DNS message that asks nothing, which devices ignore. */
const EMPTY_QUESTION = Buffer.alloc(12);

/** Sends a message to the devices on one network. */
async function sendThrough(address: string): Promise<void> {
  const socket = createSocket('udp4');
  try {
    socket.bind(0, address);
    await once(socket, 'listening');
    socket.setMulticastInterface(address);
    await new Promise<void>((resolve, reject) => {
      socket.send(EMPTY_QUESTION, PORT, GROUP, (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    socket.close();
  }
}

interface Options {
  platform?: NodeJS.Platform;
  send?(address: string): Promise<void>;
}

/**
 * Asks macOS for the local network by using it, through each of these addresses. The library that announces Pixdock ignores a refusal.
 * @throws Reason `localNetworkBlocked`
 */
export async function requireLocalNetwork(
  addresses: readonly string[],
  { platform = process.platform, send = sendThrough }: Options = {},
): Promise<void> {
  if (platform !== 'darwin' || addresses.length === 0) return;
  const results = await Promise.allSettled(addresses.map(send));
  const refusals = results.filter((result) => result.status === 'rejected' && mayLackLocalNetwork(result.reason, platform));
  if (refusals.length === results.length) throw new Reason('localNetworkBlocked');
}
