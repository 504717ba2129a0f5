import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createSlots } from '#server/platform/admission/slots.ts';
import { BusyError, RequestError } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { closeWith } from '#server/platform/http/errors/plain-response.ts';

/** Each takes a file handle and some 20 KB. A browser opens six; many people may share one address. */
const LIMITS = { each: 300, total: 2_000 };

/**
 * Limits the open connections of each network and of all together. When there is no more room, the network with the most loses its oldest.
 * Call it before anything else listens for connections.
 * @param isProxy whether an address is a trusted proxy, whose connections belong to many clients: only their total is limited
 */
export function limitConnections(server: Server, isProxy: (address: string) => boolean, limits = LIMITS): void {
  const slots = createSlots(limits);
  // Node's own listener must not see a refused connection, or its requests would be handled.
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const slot = slots.take(isProxy(address) ? undefined : networkOf(address), () => socket.destroy());
    if ('refused' in slot) return refuse(socket, slot.refused);
    socket.once('close', slot.release);
    for (const listener of listeners) listener.call(server, socket);
  });
}

function refuse(socket: Socket, reason: 'each' | 'total') {
  socket.on('error', () => socket.destroy());
  // A connection that is closed with unread bytes is reset, and the response lost.
  socket.resume();
  const refusal =
    reason === 'total'
      ? new BusyError()
      : new RequestError('rate_limited', 'Your address has too many open connections.', { retry_after: 5 });
  closeWith(socket, refusal);
}

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
