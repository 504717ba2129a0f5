import type { Server } from 'node:http';

/** Whoever sends no request may keep the connection open on their side for ever; on ours it ends. */
const LINGER_MS = 2_000;

/** Answers what is no readable HTTP request (a broken or far too long head) in the same envelope as everything else. */
export function answerMalformedRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const message = error.code === 'HPE_HEADER_OVERFLOW' ? 'The address or the headers are too long.' : 'The request could not be read.';
    const body = JSON.stringify({ status: false, message, data: { code: 'invalid_request' } });
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(end));
  });
}
