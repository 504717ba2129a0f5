import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const DRAIN_MS = 10_000;

/** The open connections of a server that isn't listening yet; kept up to date. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Returns a function that stops a server: it accepts no more connections, lets running requests finish, and aborts those that take
 * too long.
 */
export function createDrain(server: Server, sockets: ReadonlySet<Socket>): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      // A page that polls over a kept-alive connection would delay the end.
      server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
      server.keepAliveTimeout = 1;
      server.close(() => {
        clearTimeout(limit);
        resolve();
      });
      server.closeIdleConnections();
      // Browsers open connections in advance; Node doesn't count unused ones as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    });
}
