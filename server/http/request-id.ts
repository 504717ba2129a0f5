import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Gives every request a number that its answer and the log share. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.locals.requestId = randomUUID();
  response.setHeader('X-Request-Id', response.locals.requestId);
  next();
};
