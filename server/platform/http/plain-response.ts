import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '#api/errors.ts';
import { securityHeaders } from './security-headers.ts';

const security = securityHeaders();

/**
 * A whole HTTP response in the usual envelope, for connections that have no request. It closes the connection.
 * @param status the number and its phrase
 */
export function plainResponse(
  status: string,
  { message, code, retryAfter }: { message: string; code: ErrorCode; retryAfter?: number },
): string {
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
