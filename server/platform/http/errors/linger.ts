import type { Request, Response } from 'express';

/** A client that pauses longer has read the response or is gone. */
const IDLE_MS = 5_000;
const MAX_MS = 30_000;

/** Whether the client may still be sending. */
export function isStillSending({ complete, headers }: Request): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

/**
 * Sends a whole JSON response while the request is still arriving, then discards the rest of the request, within limits.
 * Closing the connection instead would make the operating system of a client that is still sending drop the response: the
 * client would see a reset and never learn why.
 */
export function respondEarly(request: Request, response: Response, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body));
  response.type('json').setHeader('Content-Length', text.length);
  response.write(text);

  const giveUp = () => response.destroy();
  const longest = setTimeout(giveUp, MAX_MS);
  const idle = setTimeout(giveUp, IDLE_MS);
  const finish = () => {
    clearTimeout(longest);
    clearTimeout(idle);
    response.end();
  };
  request.on('data', () => idle.refresh());
  request.once('end', finish);
  request.once('close', finish);
  request.resume();
}
