import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Gives every request a number that its answer (as `X-Request-Id`) and the log share. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.locals.requestId = randomUUID();
  next();
};
