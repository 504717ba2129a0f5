import { once } from 'node:events';
import { createServer } from 'node:net';
import { canOpenPort } from '#api/desktop/listening.ts';

/** Number of ports that are tried for a suggestion. */
const TRIES = 50;

/** Whether this computer can listen on the port, at the given address. */
export async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen({ port, host, exclusive: true });
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** The first free port above the given one that browsers open; undefined if many are taken. */
export async function freePortAfter(port: number, host: string): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIES, 65_535); next += 1)
    if (canOpenPort(next) && (await isFree(next, host))) return next;
  return undefined;
}
