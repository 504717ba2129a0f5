import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';

/** Below these, the head of the response is most of it. A page is one of a dozen requests that a visitor waits for. */
const MIN_BYTES = { json: 2048, html: 1024 };
/** Pictures and archives are compressed already; built files have compressed copies (web-app.ts). */
const TYPES = /^(?:application\/(json)|text\/(html))\b/;
/** The bits of Brotli's window, 256 KiB: a response in progress stays below 2 MB of memory. */
const WINDOW_BITS = 18;

/**
 * Compresses JSON and pages while they are sent, where the client accepts it. Only responses to GET: those to other methods may carry a new
 * secret beside what the client sent, and the length of such a response, compressed, says something about the secret (BREACH).
 */
export function compressText(): RequestHandler {
  const compress = compression({
    threshold: 0,
    filter: (_request, response) => {
      const [, ...types] = TYPES.exec(String(response.getHeader('Content-Type') ?? '')) ?? [];
      const type = types.find((found) => found !== undefined) as keyof typeof MIN_BYTES | undefined;
      // Without a length, it is streamed, and long.
      return type !== undefined && Number(response.getHeader('Content-Length') ?? MIN_BYTES[type]) >= MIN_BYTES[type];
    },
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS } },
  });
  return (request, response, next) => (request.method === 'GET' ? compress(request, response, next) : next());
}
