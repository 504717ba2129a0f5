import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { ByteRange, OpenBlob } from '#server/platform/storage/driver.ts';
import { ifRangeMatches, type Validators } from './conditions.ts';
import type { HeaderList } from './default-headers.ts';

/** The part of a file that a `Range` header asks for: one range, `undefined` for all of it, `invalid` when outside. */
export function wantedRange(request: Request, validators: Validators, size: number): ByteRange | undefined | 'invalid' {
  if (request.headers.range === undefined || !ifRangeMatches(request, validators)) return undefined;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'invalid';
  // A malformed header is ignored, and several ranges may be answered with everything.
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/**
 * Sends an open blob, or a part of it; closes it whatever happens.
 * @param head the headers of the answer except for its length
 */
export function sendBlob(blob: OpenBlob, range: ByteRange | undefined, response: Response, log: Logger, head: HeaderList): void {
  const length = range ? range.end - range.start + 1 : blob.size;
  response.writeHead(range ? 206 : 200, [...head, 'Content-Length', String(length)]);
  blob.sendTo(response, range).catch((error: unknown) => {
    // Once the reader has gone there is nobody to tell, and nothing is wrong.
    if (!response.destroyed) log.error({ err: error }, 'couldn’t send a stored picture');
    response.destroy();
  });
}
