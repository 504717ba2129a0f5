import type { Server, ServerResponse } from 'node:http';

/** The longest pause while a client sends a request or receives a response. */
const MAX_PAUSE_MS = 120_000;

/**
 * Closes connections whose client has stopped sending its request or receiving the response: each holds a file handle and
 * memory, and their number is unlimited. It doesn't limit the time that the service takes for a request.
 */
export function endStalled(server: Server, pauseMs = MAX_PAUSE_MS): void {
  // Node restarts the timer whenever bytes pass, and with each request on the connection.
  server.setTimeout(pauseMs);
  server.on('request', (_request, response) => response.on('timeout', endIfStalled));
}

function endIfStalled(this: ServerResponse) {
  const { socket, complete } = this.req;
  if (!complete || socket.writableLength > 0) socket.destroy();
}
