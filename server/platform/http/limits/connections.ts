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
