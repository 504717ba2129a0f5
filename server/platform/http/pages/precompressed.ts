import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Request, RequestHandler } from 'express';

/** The encodings that the build writes copies in, the smaller one first, and how the names of the copies end. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** The names of built files. Everything else is left to the static file handler, which checks paths. */
const BUILT = /^(?:\/[\w-]+(?:\.[\w-]+)*)+\.(?:js|css|svg|json)$/;

/** The encodings that a client accepts, the smallest first. One with `q=0` is refused. */
export const acceptedEncodings = (request: Request) => ENCODINGS.filter(([encoding]) => request.acceptsEncodings(encoding));

/**
 * Points a request for a built file to its compressed copy, where there is one that the client accepts. The static file handler behind it
 * sends the copy, with its own ETag and ranges.
 */
export function toCompressedCopy(folder: string): RequestHandler {
  return async (request, response, next) => {
    const { path } = request;
    if (!BUILT.test(path) || !['GET', 'HEAD'].includes(request.method)) return next();
    response.vary('Accept-Encoding');
    for (const [encoding, extension] of acceptedEncodings(request)) {
      if (!(await isFile(join(folder, path + extension)))) continue;
      request.url = request.url.replace(path, path + extension);
      response.setHeader('Content-Encoding', encoding);
      response.type(extname(path));
      break;
    }
    next();
  };
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
