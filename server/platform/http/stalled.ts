import type { Server, ServerResponse } from 'node:http';

/** Nobody pauses longer in the middle of sending a request or of taking an answer. */
const LONGEST_PAUSE_MS = 120_000;

/**
 * Ends connections whose other side has stopped sending its request or taking its answer: each of them holds a file handle
 * and memory, and there may be any number. A service that is busy with a request is not hurried.
 */
export function endStalled(server: Server, pauseMs = LONGEST_PAUSE_MS): void {
  // Node starts the clock anew whenever bytes pass, and with each request on the connection.
  server.setTimeout(pauseMs);
  server.on('request', (_request, response) => response.on('timeout', endIfStalled));
}

function endIfStalled(this: ServerResponse) {
  const { socket, complete } = this.req;
  if (!complete || socket.writableLength > 0) socket.destroy();
}
