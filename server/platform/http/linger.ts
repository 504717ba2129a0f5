import type { Request, Response } from 'express';

/** A sender that pauses longer has seen the answer, or has gone. */
const IDLE_MS = 5_000;
const LONGEST_MS = 30_000;

/** Whether the caller may still be sending. */
export function isStillSending({ complete, headers }: Request): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

/**
 * Sends a whole JSON answer at once although the request is still coming, and then reads past the rest of it, within
 * limits. Closing the connection instead would make the system throw away the answer at a caller that is busy sending:
 * they would see a reset and never learn why.
 */
export function answerEarly(request: Request, response: Response, answer: unknown): void {
  const text = Buffer.from(JSON.stringify(answer));
  response.type('json').setHeader('Content-Length', text.length);
  response.write(text);

  const giveUp = () => response.destroy();
  const longest = setTimeout(giveUp, LONGEST_MS);
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
