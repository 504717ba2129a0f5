import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const DRAIN_MS = 10_000;

/**
 * Tracks the connections of a server that isn't listening yet. The returned function stops it: it accepts no more connections,
 * lets running requests finish, and aborts those that take too long.
 */
export function createDrain(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
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
