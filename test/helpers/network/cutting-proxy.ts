import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What happens to the next message from the client that contains a text. */
type Cut = 'before' | 'after';

/**
 * A proxy in front of a database server that breaks a connection once: before a message reaches the server, or after the server has
 * responded to it, whose response is lost.
 */
export async function startCuttingProxy(target: string) {
  const { hostname, port } = new URL(target);
  let wanted: { text: string; cut: Cut } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    let isLost = false;
    const end = () => [client, onward].forEach((socket) => void socket.destroy());
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (bytes) => {
      const isWanted = wanted !== undefined && bytes.includes(wanted.text);
      if (isWanted && wanted?.cut === 'before') end();
      else onward.write(bytes);
      if (!isWanted) return;
      isLost = true;
      wanted = undefined;
    });
    onward.on('data', (bytes) => (isLost ? end() : client.write(bytes)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** Breaks the connection at the next message that contains `text`. */
    cutAt(text: string, cut: Cut) {
      wanted = { text, cut };
    },
    /** Whether it hasn't happened yet. */
    isWaiting: () => wanted !== undefined,
  };
}
