import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { isMissing } from '#server/platform/files/missing.ts';
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
const MOST_KEPT_FILE = 8 * 1024 * 1024;
const MEMORY_BYTES = 64 * 1024 * 1024;
/** What a kept file costs besides its bytes. */
const ENTRY_BYTES = 500;

/** @param memoryBytes how much may be kept; up to as much again is held for those who are still being sent what was given up */
export function createFileReader(memoryBytes = MEMORY_BYTES): FileReader {
  const limits = { maxSize: memoryBytes };
  const kept = new LRUCache<string, Buffer>({ ...limits, sizeCalculation: ({ length }) => ENTRY_BYTES + length });
  /** As many files as memory could keep. Only what is asked for again while it is here is kept, or a walk through everything would push out all. */
  const asked = new LRUCache<string, number>({ ...limits, sizeCalculation: (size) => ENTRY_BYTES + size });
  const keeping = new Map<string, Promise<Buffer>>();
  const pool: Buffer[] = [];
  let held = 0;
  const released = new FinalizationRegistry<number>((size) => {
    held -= size;
  });

  function isWorthKeeping(path: string, size: number): boolean {
    if (size > MOST_KEPT_FILE || held + size > 2 * memoryBytes) return false;
    if (size <= READ_BYTES || asked.has(path)) return true;
    asked.set(path, size);
    return false;
  }

  async function keep(path: string, handle: FileHandle, size: number): Promise<Buffer> {
    const reading = readAll(handle, size);
    keeping.set(path, reading);
    try {
      const bytes = await reading;
      // Not what was forgotten meanwhile.
      if (keeping.get(path) === reading) kept.set(path, bytes);
      return bytes;
    } finally {
      if (keeping.get(path) === reading) keeping.delete(path);
    }
  }

  async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
    held += size;
    try {
      const bytes = await handle.readFile();
      released.register(bytes.buffer, size); // parts that are being sent refer to this, not to `bytes`
      return bytes;
    } catch (error) {
      held -= size;
      throw error;
    } finally {
      await handle.close();
    }
  }

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
      const bytes = kept.get(path) ?? (await keeping.get(path));
      if (bytes) return inMemory(bytes);
      const handle = await open(path, 'r').catch((error) => {
        throw missing(error, path);
      });
      const { size } = await handle.stat();
      if (isWorthKeeping(path, size)) return inMemory(await keep(path, handle, size));
      return {
        size,
        sendTo: (target, range = { start: 0, end: size - 1 }) => sendFile(handle, range, target),
        stream: (range) => createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, ...range }),
        close: () => handle.close(),
      };
    },
    forget(path) {
      kept.delete(path);
      asked.delete(path);
      keeping.delete(path);
    },
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
export function missing(error: Error, path: string): Error {
  return isMissing(error) ? new BlobMissingError(`${path} is missing`, { cause: error }) : error;
}
