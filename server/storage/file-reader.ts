import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { BlobMissingError, type ByteRange, type OpenBlob } from './driver.ts';

/** Opens local files whose content never changes, for sending. */
export interface FileReader {
  /** @throws BlobMissingError */
  open(path: string): Promise<OpenBlob>;
  /** Must be called when a file is removed. */
  forget(path: string): void;
}

/** Node's file streams are the real cost of sending a file: large reused buffers, or memory, are several times faster. */
const READ_BYTES = 512 * 1024;
const MOST_POOLED = 16;
/** Files up to this size are sent from memory while they fit into it. */
const MOST_CACHED_FILE = 1.5 * 1024 * 1024;
const CACHE_BYTES = 64 * 1024 * 1024;

export function createFileReader(): FileReader {
  const cache = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: (bytes) => Math.max(1, bytes.length) });
  const pool: Buffer[] = [];

  async function sendFile(handle: FileHandle, { start, end }: ByteRange, target: Writable) {
    const buffer = pool.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);
    try {
      for (let at = start; at <= end; ) {
        const { bytesRead } = await handle.read(buffer, 0, Math.min(READ_BYTES, end - at + 1), at);
        if (bytesRead === 0) throw new BlobMissingError('the file is shorter than it was');
        await write(target, buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
      target.end();
    } finally {
      if (pool.length < MOST_POOLED) pool.push(buffer);
      await handle.close();
    }
  }

  return {
    async open(path) {
      const cached = cache.get(path);
      if (cached) return inMemory(cached);
      const handle = await open(path, 'r').catch((error) => {
        throw missing(error, path);
      });
      const { size } = await handle.stat();
      if (size <= MOST_CACHED_FILE) {
        const bytes = await handle.readFile().finally(() => handle.close());
        cache.set(path, bytes);
        return inMemory(bytes);
      }
      return {
        size,
        sendTo: (target, range = { start: 0, end: size - 1 }) => sendFile(handle, range, target),
        stream: (range) => createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, ...range }),
        close: () => handle.close(),
      };
    },
    forget: (path) => void cache.delete(path),
  };
}

function inMemory(bytes: Buffer): OpenBlob {
  return {
    size: bytes.length,
    async sendTo(target, range) {
      target.end(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    },
    stream: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false }),
    close: async () => undefined,
  };
}

/** Resolves when the bytes have left for the system, after which their buffer may be used again. @throws when the reader is gone */
function write(target: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** The error for a file that should be there. */
export function missing(error: NodeJS.ErrnoException, path: string): Error {
  return error.code === 'ENOENT' ? new BlobMissingError(`${path} is missing`, { cause: error }) : error;
}
