import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An address of this computer that 127.0.0.1 doesn't include; where there is no network, a second loopback address. */
export const SECOND_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';

/** A source address that no adapter has: to a service, its requests come from another device. Linux and Windows only. */
export const OTHER_DEVICE = '127.0.0.9';

/** Below those that systems give to outgoing connections, which would take the port before the program does. */
const [FROM, TO] = [10_000, 30_000];

/** A free port, for programs that can't choose one themselves. `count`: the first of that many in a row. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(port + index)));
    if (free.every(Boolean)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false; // taken, or reserved by the system
  }
  server.close();
  await once(server, 'close');
  return true;
}
