import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { ifRangeMatches, type Validators } from '#server/platform/http/headers/conditions.ts';
import type { HeaderList } from '#server/platform/http/headers/default-headers.ts';
import type { ByteRange, OpenBlob } from '#server/platform/storage/driver.ts';

/** The part of a file that a `Range` header requests: one range, `undefined` for the whole file, `invalid` for one outside it. */
export function requestedRange(request: Request, validators: Validators, size: number): ByteRange | undefined | 'invalid' {
  if (request.headers.range === undefined || !ifRangeMatches(request, validators)) return undefined;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'invalid';
  // Malformed headers are ignored, and for several ranges the whole file may be sent.
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

interface BlobResponse {
  /** The response headers except for the length. */
  head: HeaderList;
  /** Without one, the whole blob is sent. */
  range?: ByteRange | undefined;
  log: Logger;
}

/** Sends an open blob or a part of it, and always closes it. */
export function sendBlob(response: Response, blob: OpenBlob, { head, range, log }: BlobResponse): void {
  const length = range ? range.end - range.start + 1 : blob.size;
  response.writeHead(range ? 206 : 200, [...head, 'Content-Length', String(length)]);
  blob.sendTo(response, range).catch((error: unknown) => {
    // A disconnected client isn't an error.
    if (!response.destroyed) log.error({ err: error }, 'couldn’t send a stored picture');
    response.destroy();
  });
}
