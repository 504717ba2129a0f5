import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { securityHeaders } from './security-headers.ts';

/** A client may keep its side of the connection open forever; ours ends. */
const LINGER_MS = 2_000;

/** Responds to unreadable requests (with a broken or too long head) in the usual envelope. */
export function respondToMalformedRequests(server: Server): void {
  const security = securityHeaders();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const message = error.code === 'HPE_HEADER_OVERFLOW' ? 'The address or the headers are too long.' : 'Couldn’t read the request.';
    socket.end(badRequest(message, security));
    const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(end));
  });
  // Node would respond with 417, without the envelope. Such an expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function badRequest(message: string, security: string[]): string {
  const body = JSON.stringify({ status: false, message, data: { code: 'invalid_request' } });
  const headers = [
    ...['Connection', 'close'],
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['X-Request-Id', randomUUID()],
    ...security,
  ];
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`;
}
