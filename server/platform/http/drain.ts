import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const DRAIN_MS = 10_000;

/**
 * Watches a server that has not begun to listen; the answer ends it: it takes no more connections, lets running requests
 * finish, and cuts off those that take too long.
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
      // A page that asks again and again over a connection that it keeps would hold up the end.
      server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
      server.keepAliveTimeout = 1;
      server.close(() => {
        clearTimeout(limit);
        resolve();
      });
      server.closeIdleConnections();
      // Browsers open connections in advance; those that nothing has come on do not count as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    });
}
