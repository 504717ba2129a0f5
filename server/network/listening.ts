import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { ConfigError } from '#server/platform/config/config.ts';

/** Another program listens on the port. */
export class PortTakenError extends ConfigError {
  readonly port: number;
  /** The number of pictures whose links contain the port. */
  images = 0;

  constructor(port: number, cause: unknown) {
    super(`Another program is using port ${port}. Stop it, or choose another port with PIXDOCK_PORT.`, { cause });
    this.port = port;
  }
}

/** The place where a server listens. */
export interface Listening {
  readonly port: number;
  host(): string;
  /**
   * Listens on another address of this computer and the same port; connections that the new address doesn't include are closed.
   * @throws ConfigError with a sentence; the server then listens where it did before
   */
  moveTo(host: string): Promise<void>;
}

const WILDCARDS = ['0.0.0.0', '::'];

/** Whether other devices reach a server that listens on this address through any network adapter. */
export const isWildcard = (host: string) => WILDCARDS.includes(host);

/** A host name at which this machine reaches a server that listens on `host`. */
export function reachableHere(host: string): string {
  if (isWildcard(host)) return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/**
 * Starts listening and resolves once the server accepts connections.
 * @param sockets the server's open connections
 * @throws ConfigError with a sentence
 */
export async function startListening(server: Server, sockets: ReadonlySet<Socket>, address: { host: string; port: number }) {
  let { host } = address;
  await listen(server, host, address.port);
  const { port } = server.address() as AddressInfo;

  async function moveTo(next: string) {
    if (next === host) return;
    server.close(); // only the listening socket: connections stay
    try {
      await listen(server, next, port);
    } catch (error) {
      await listen(server, host, port);
      throw error;
    }
    host = next;
    if (isWildcard(host)) return;
    for (const socket of sockets) if (socket.localAddress !== host) socket.destroy();
  }

  // One after the other: two at once would both close and then both listen.
  let moving = Promise.resolve();
  const listening: Listening = {
    port,
    host: () => host,
    moveTo(next) {
      const move = moving.then(() => moveTo(next));
      moving = move.catch(() => undefined); // its caller gets the error
      return move;
    },
  };
  return listening;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explainListen(error as NodeJS.ErrnoException, host, port);
  }
}

function explainListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new PortTakenError(port, error);
  if (error.code === 'EACCES')
    return new ConfigError(`The system doesn’t allow this account to use port ${port}. Choose a port above 1023.`, { cause: error });
  if (error.code === 'EADDRNOTAVAIL') return new ConfigError(`${host} isn’t an address of this computer.`, { cause: error });
  return error;
}
