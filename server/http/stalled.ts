import type { RequestHandler } from 'express';

/** Nobody pauses longer in the middle of sending a request or of taking an answer. */
const LONGEST_PAUSE_MS = 120_000;

/**
 * Ends connections whose other side has stopped sending its request or taking its answer: each of them holds a file handle
 * and memory, and there may be any number. A service that is busy with a request is not hurried.
 */
export function endStalled(pauseMs = LONGEST_PAUSE_MS): RequestHandler {
  return (request, response, next) => {
    const { socket } = request;
    // Node starts the clock anew whenever bytes pass, and resets it for the next request on the connection.
    socket.setTimeout(pauseMs);
    response.on('timeout', () => {
      if (!request.complete || socket.writableLength > 0) socket.destroy();
    });
    next();
  };
}
