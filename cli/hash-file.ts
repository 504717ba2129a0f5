import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** The hash of an open file in hexadecimal, its SHA-256 unless another one is wanted. @throws why it can't be read, or the reason of the signal */
export async function hashFile(handle: FileHandle, signal?: AbortSignal, algorithm: 'sha256' | 'sha1' = 'sha256'): Promise<string> {
  const hash = createHash(algorithm);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
