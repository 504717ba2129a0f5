import { createHash, hash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import { removeFile } from '#server/platform/files/missing.ts';
import { arrivalThread } from './arrival/thread.ts';
import type { StagedFile, StagedWriter } from './staged.ts';

const READ_BYTES = 256 * 1024;
/** Files up to this size stay in memory until they are stored, as long as all of them have room there. */
const MAX_HELD_FILE_BYTES = 1024 * 1024;
const MAX_HELD_BYTES = 32 * 1024 * 1024;

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
  const isHeld = (expected: number | undefined): expected is number =>
    expected !== undefined && expected <= MAX_HELD_FILE_BYTES && held + expected <= MAX_HELD_BYTES;
  return {
    folder,
    reservePath,
    async create(expected) {
      if (!isHeld(expected)) return writeToDisk(newPath(), requireRoom);
      held += expected;
      const path = newPath();
      const toDisk = () => writeToDisk(path, requireRoom);
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
  /** Set when the file becomes larger. */
  let larger: StagedWriter | undefined;
  let opening: Promise<StagedWriter> | undefined;
  let file: StagedFile | undefined;
  let isReleased = false;
  return {
    async write(bytes) {
      if (!larger && size + bytes.length > maxBytes) {
        opening = toDisk();
        larger = await opening;
        if (isReleased) throw new Error('the file was discarded while it was opened');
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
      // One that is being opened is removed afterwards.
      await opening?.then(
        (writer) => writer[Symbol.asyncDispose](),
        () => undefined,
      );
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
    const buffer = Buffer.allocUnsafe(READ_BYTES);
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

/** The writer as a stream, for `pipeline`. Ending the stream does not finish the writer. */
export function toWritable(writer: Pick<StagedWriter, 'write'>): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      writer.write(chunk).then(() => done(), done);
    },
  });
}

/** Re-check free space after this many bytes. */
const CHECK_BYTES = 8 * 1024 * 1024;

/** Writes a file in `tmp/` that isn't held in memory. */
async function writeToDisk(path: string, requireRoom: (bytes: number) => Promise<void>): Promise<StagedWriter> {
  const file = await arrivalThread.open(path);
  let gathered: Buffer | undefined;
  let gatheredBytes = 0;
  let unchecked = 0;
  /** One buffer is being written while the next one fills. */
  let writing: Promise<void> | undefined;
  let isFinished = false;

  async function flushGathered() {
    unchecked += gatheredBytes;
    if (unchecked >= CHECK_BYTES) {
      await requireRoom(unchecked);
      unchecked = 0;
    }
    await writing;
    if (!gathered) return;
    writing = file.write(gathered, gatheredBytes);
    writing.catch(() => undefined); // whatever comes next awaits it
    gathered = undefined;
    gatheredBytes = 0;
  }

  return {
    async write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        gathered ??= arrivalThread.takeBuffer();
        const part = bytes.subarray(from, from + gathered.length - gatheredBytes);
        gathered.set(part, gatheredBytes);
        gatheredBytes += part.length;
        from += part.length;
        if (gatheredBytes === gathered.length) await flushGathered();
      }
    },
    async finish() {
      await flushGathered();
      await writing;
      isFinished = true;
      const received = await file.finish();
      await requireRoom(0);
      return { path, ...received };
    },
    async [Symbol.asyncDispose]() {
      if (!isFinished) await file.discard();
      isFinished = true;
      await removeFile(path);
    },
  };
}
