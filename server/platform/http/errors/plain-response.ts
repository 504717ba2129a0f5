import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestError } from '#server/platform/base/errors.ts';
import { securityHeaders } from '#server/platform/http/headers/security-headers.ts';

const security = securityHeaders();

/** A client may keep its side of the connection open forever; ours ends. */
const LINGER_MS = 2_000;

/** Sends a refusal in the usual envelope on a connection that has no request, and closes the connection. */
export function closeWith(socket: Duplex, refusal: RequestError): void {
  socket.end(plainResponse(refusal));
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(end));
}

function plainResponse({ status, details: { retry_after }, envelope }: RequestError): string {
  const body = JSON.stringify(envelope);
  const headers = [
    ...['Connection', 'close'],
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...(retry_after === undefined ? [] : ['Retry-After', String(retry_after)]),
    ...['X-Request-Id', randomUUID()],
    ...security,
  ];
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
