import type { RequestHandler } from 'express';

/**
 * Milliseconds that a connection stays open between two requests. Connection pools and proxies keep theirs for 60 s: the service must
 * not be the first to close one, or a request that is already on its way is lost.
 */
export const IDLE_MS = 75_000;

/** Programs that keep running until their idle connection is closed: `picgo upload` would hang for {@link IDLE_MS}. */
const WAITS_FOR_CLOSE = /^PicGo\b/;

/** Closes the connection after each response to a program that would otherwise wait for it. */
export const closeForWaiting: RequestHandler = (request, response, next) => {
  if (WAITS_FOR_CLOSE.test(request.headers['user-agent'] ?? '')) response.setHeader('Connection', 'close');
  next();
};
