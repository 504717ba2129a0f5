import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { isMissing, sizeOf } from '#server/platform/files/missing.ts';
import { BlobMissingError, type ByteRange, type OpenBlob } from './driver.ts';

type Decode = (file: Buffer) => Buffer | undefined;

/** Opens local files with immutable content for sending. */
export interface FileReader {
  /**
   * @param decode returns what of a file's contents to send; undefined if it's damaged, which counts as missing. Such a file must be small,
   * and always opened with the same function: the result is what is kept
   * @throws BlobMissingError
   */
  open(path: string, decode?: Decode): Promise<OpenBlob>;
  /** Opens what was just written to a file, as it would be read from there. */
  keep(path: string, content: Buffer): OpenBlob;
  /** The bytes of a file, if they are in memory. */
  peek(path: string): Buffer | undefined;
  /** Call it when a file is removed. */
  forget(path: string): void;
}

/** Node's file streams are the main cost of sending a file: large reused buffers, or memory, are several times faster. */
const READ_BYTES = 512 * 1024;
const MAX_POOLED = 16;
/** Files up to this size are sent from memory if they fit. */
const MAX_KEPT_FILE_BYTES = 2 * 1024 * 1024;
const MEMORY_BYTES = 32 * 1024 * 1024;
/** The cost of a kept file besides its bytes. */
const ENTRY_BYTES = 500;

/** @param memoryBytes limits the kept files; as much again may be held by responses that still send evicted files */
export function createFileReader(memoryBytes = MEMORY_BYTES): FileReader {
  const limits = { maxSize: memoryBytes };
  const kept = new LRUCache<string, Buffer>({ ...limits, sizeCalculation: ({ length }) => ENTRY_BYTES + length });
  /** Recently requested large files. Only a file requested again is kept, or a walk through all files would evict everything. */
  const requested = new LRUCache<string, number>({ ...limits, sizeCalculation: (size) => ENTRY_BYTES + size });
  const keeping = new Map<string, Promise<Buffer>>();
  const pool: Buffer[] = [];
  let held = 0;
  const released = new FinalizationRegistry<number>((size) => {
    held -= size;
  });

  function isWorthKeeping(path: string, size: number): boolean {
    if (size > MAX_KEPT_FILE_BYTES || held + size > 2 * memoryBytes) return false;
    if (size <= READ_BYTES || requested.has(path)) return true;
    requested.set(path, size);
    return false;
  }

  async function read(path: string, handle: FileHandle, size: number, decode?: Decode): Promise<Buffer> {
    const reading = readAll(handle, size).then((bytes) => {
      const content = decode ? decode(bytes) : bytes;
      if (!content) throw new BlobMissingError(`${path} is damaged`);
      return content;
    });
    keeping.set(path, reading);
    try {
      const bytes = await reading;
      // Unless it was forgotten meanwhile.
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
      released.register(bytes.buffer, size); // parts being sent refer to this buffer, not to `bytes`
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
      if (pool.length < MAX_POOLED) pool.push(buffer);
      await handle.close();
    }
  }

  return {
    async open(path, decode) {
      const bytes = kept.get(path) ?? (await keeping.get(path));
      if (bytes) return inMemory(bytes);
      const handle = await open(path, 'r').catch((error) => {
        throw missing(error, path);
      });
      const size = await sizeOf(handle);
      if (decode || isWorthKeeping(path, size)) return inMemory(await read(path, handle, size, decode));
      return {
        size,
        sendTo: (target, range = { start: 0, end: size - 1 }) => sendFile(handle, range, target),
        stream: (range) => createReadStream(path, { fd: handle, highWaterMark: READ_BYTES, ...range }),
        close: () => handle.close(),
      };
    },
    keep(path, content) {
      if (kept.get(path) !== content) {
        held += content.length;
        released.register(content.buffer, content.length);
        kept.set(path, content);
      }
      return inMemory(content);
    },
    peek: (path) => kept.get(path),
    forget(path) {
      kept.delete(path);
      requested.delete(path);
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

/** Resolves when the bytes are handed to the system and their buffer may be reused. @throws when the receiver is gone */
function write(target: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** The error for a file that should exist. */
export function missing(error: Error, path: string): Error {
  return isMissing(error) ? new BlobMissingError(`${path} is missing`, { cause: error }) : error;
}
