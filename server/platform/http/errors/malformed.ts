import type { Server } from 'node:http';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { closeWith } from './plain-response.ts';

/** Responds to unreadable requests (with malformed or oversized headers) in the usual envelope. */
export function respondToMalformedRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const message = error.code === 'HPE_HEADER_OVERFLOW' ? 'The address or the headers are too long.' : 'Couldn’t read the request.';
    closeWith(socket, new InvalidRequestError(message));
  });
  // Node would respond with 417, without the envelope. Such an expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
