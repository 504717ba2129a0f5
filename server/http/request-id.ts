import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Gives every request a number that its answer and the log share. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.locals.requestId = randomBytes(9).toString('base64url');
  response.setHeader('X-Request-Id', response.locals.requestId);
  next();
};
