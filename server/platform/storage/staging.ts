import { createHash, hash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import { removeFile } from '#server/platform/files/missing.ts';
import type { FileContent } from '#server/platform/files/staged-file.ts';

/** Bytes are collected in a buffer of this size before they are written. */
const GATHER_BYTES = 256 * 1024;
const MIN_GATHER_BYTES = 16 * 1024;
/** Re-check free space after this many bytes. */
const CHECK_BYTES = 8 * 1024 * 1024;
/** Files up to this size stay in memory until they are stored, as long as all of them have room there. */
const MAX_HELD_FILE_BYTES = 1024 * 1024;
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/** A file in `tmp/` or in memory that is complete, but not yet anybody's; it is flushed when it is stored. */
export interface StagedFile extends FileContent {
  size: number;
  /** SHA-256 as 64 hex digits. */
  sha256: string;
  /** The media type, where it is known. */
  mime?: string;
}

/** A staged file that is being written: hashed on the way. Disposing of it removes the file, finished or not, and frees its bytes. */
export interface StagedWriter extends AsyncDisposable {
  /** Appends; the array may be reused once this has resolved. @throws RequestError `storage_full`, as `finish` does */
  write(bytes: Uint8Array): Promise<void>;
  /** Hands the rest to the system. */
  finish(): Promise<StagedFile>;
}

/** A path in `tmp/` that nothing else uses. Disposing of it removes the file that was written there, if any. */
export interface StagingPath extends AsyncDisposable {
  readonly path: string;
}

/** The folder where files are prepared before they become visible. It is emptied at start. */
export interface Staging {
  folder: string;
  reservePath(): StagingPath;
  /** @param expected the maximum number of bytes to expect, if known: a small file is held in memory */
  create(expected?: number): Promise<StagedWriter>;
  /** Hashes a file that something else has written at a path of ours. */
  adopt(path: string): Promise<StagedFile>;
}

/** @param requireRoom throws when the disk has no room for that many bytes, since not every client announces the size */
export function openStaging(folder: string, requireRoom: (bytes: number) => Promise<void> = async () => undefined): Staging {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const newPath = () => join(folder, `${randomUUID()}.part`);
  const reservePath = () => {
    const path = newPath();
    return { path, [Symbol.asyncDispose]: () => removeFile(path) };
  };
  let held = 0;
  return {
    folder,
    reservePath,
    async create(expected) {
      const isHeld = expected !== undefined && expected <= MAX_HELD_FILE_BYTES && held + expected <= MAX_HELD_BYTES;
      if (!isHeld) return createWriter(newPath(), requireRoom, expected);
      held += expected;
      const path = newPath();
      const toDisk = () => createWriter(path, requireRoom);
      const release = () => {
        held -= expected;
      };
      return holdFile(path, { maxBytes: expected, toDisk, release });
    },
    adopt,
  };
}

interface Holding {
  maxBytes: number;
  /** A writer for a file that becomes larger after all. */
  toDisk(): Promise<StagedWriter>;
  /** Called once, when the memory is free again. */
  release(): void;
}

/** A writer whose file stays in memory. */
function holdFile(path: string, { maxBytes, toDisk, release }: Holding): StagedWriter {
  const held = Buffer.allocUnsafe(maxBytes);
  let size = 0;
  let larger: StagedWriter | undefined;
  let file: StagedFile | undefined;
  let isReleased = false;
  return {
    async write(bytes) {
      if (!larger && size + bytes.length > maxBytes) {
        larger = await toDisk();
        await larger.write(held.subarray(0, size));
      }
      if (larger) return larger.write(bytes);
      held.set(bytes, size);
      size += bytes.length;
    },
    async finish() {
      if (larger) return larger.finish();
      const bytes = held.subarray(0, size);
      file = { path, bytes, size, sha256: hash('sha256', bytes) };
      return file;
    },
    async [Symbol.asyncDispose]() {
      const isWritten = file && !file.bytes;
      if (!isReleased) {
        if (file) file.bytes = undefined; // a late reader finds no file, not an empty one
        freeBuffer(held);
        release();
      }
      isReleased = true;
      await larger?.[Symbol.asyncDispose]();
      if (isWritten) await removeFile(path);
    },
  };
}

/** Removes leftovers of a crash from the folder. */
export async function emptyStaging({ folder }: Staging): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

async function adopt(path: string): Promise<StagedFile> {
  const handle = await open(path, 'r');
  try {
    const hashed = createHash('sha256');
    const buffer = Buffer.allocUnsafe(GATHER_BYTES);
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, size);
      if (bytesRead === 0) break;
      hashed.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    return { path, size, sha256: hashed.digest('hex') };
  } finally {
    await handle.close();
  }
}

async function createWriter(path: string, requireRoom: (bytes: number) => Promise<void>, expected = GATHER_BYTES): Promise<StagedWriter> {
  const handle = await open(path, 'wx', 0o600);
  const hashed = createHash('sha256');
  // One buffer for the whole file: with one per chunk, garbage collection would cost more than everything else.
  const gathered = Buffer.allocUnsafe(Math.max(MIN_GATHER_BYTES, Math.min(expected, GATHER_BYTES)));
  let gatheredBytes = 0;
  let unchecked = 0;
  let size = 0;
  let closed = false;

  async function flushGathered() {
    unchecked += gatheredBytes;
    if (unchecked >= CHECK_BYTES) {
      await requireRoom(unchecked);
      unchecked = 0;
    }
    for (let from = 0; from < gatheredBytes; ) from += (await handle.write(gathered, from, gatheredBytes - from)).bytesWritten;
    gatheredBytes = 0;
  }

  async function close() {
    if (closed) return;
    closed = true;
    await handle.close();
  }

  return {
    async write(bytes) {
      hashed.update(bytes);
      size += bytes.length;
      for (let from = 0; from < bytes.length; ) {
        const part = bytes.subarray(from, from + gathered.length - gatheredBytes);
        gathered.set(part, gatheredBytes);
        gatheredBytes += part.length;
        from += part.length;
        if (gatheredBytes === gathered.length) await flushGathered();
      }
    },
    async finish() {
      try {
        await flushGathered();
        await requireRoom(0);
      } finally {
        await close();
      }
      return { path, size, sha256: hashed.digest('hex') };
    },
    async [Symbol.asyncDispose]() {
      await close();
      await removeFile(path);
    },
  };
}

/** The writer as a stream, for `pipeline`. Ending the stream does not finish the writer. */
export function toWritable(writer: StagedWriter): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      writer.write(chunk).then(() => done(), done);
    },
  });
}
