import { createHash } from 'node:crypto';
import { createReadStream, type PathLike } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** The SHA-256 of a file in hexadecimal. @throws why it can't be read, or the reason of the signal */
export async function hashFile(path: PathLike, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { ...(signal && { signal }) });
  return hash.digest('hex');
}
