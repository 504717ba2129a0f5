import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '#api/errors.ts';
import { securityHeaders } from '#server/platform/http/headers/security-headers.ts';

const security = securityHeaders();

interface PlainResponse {
  message: string;
  code: ErrorCode;
  /** Seconds. */
  retryAfter?: number;
}

/** A client may keep its side of the connection open forever; ours ends. */
const LINGER_MS = 2_000;

/**
 * Sends a response in the usual envelope on a connection that has no request, and closes the connection.
 * @param status the number and its phrase
 */
export function closeWith(socket: Duplex, status: string, response: PlainResponse): void {
  socket.end(plainResponse(status, response));
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(end));
}

function plainResponse(status: string, { message, code, retryAfter }: PlainResponse): string {
  const data = { code, ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  const body = JSON.stringify({ status: false, message, data });
  const headers = [
    ...['Connection', 'close'],
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    ...['X-Request-Id', randomUUID()],
    ...security,
  ];
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}
