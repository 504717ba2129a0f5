import { finished, PassThrough, type Readable } from 'node:stream';
import type { Request } from 'express';

/** The body of a request. Giving it up early leaves the request itself alone, so that the caller can be told why. */
export function bodyOf(request: Request): Readable {
  const body = new PassThrough();
  finished(request, { writable: false }, (error) => {
    if (error) body.destroy(error);
  });
  request.pipe(body);
  return body;
}
