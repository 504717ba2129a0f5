import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { flushFolder } from '#server/platform/files/durable.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { refOf } from '../blob-rows.ts';
import { BlobMissingError, type OpenBlob } from '../driver.ts';
import type { FileReader } from '../file-reader.ts';
import { faultOf } from './fault.ts';

interface Received {
  name: string;
  sha256: string;
  size: number;
  body: Readable;
}

/** Copies of remote blobs on this machine, the least recently used of which are removed when they take too much space. */
export interface FileCache {
  /** Undefined when there is no copy. */
  open(name: string): Promise<OpenBlob | undefined>;
  /** Runs `use` with the path of the copy, which isn't removed meanwhile. Undefined when there is no copy. */
  withFile<T>(name: string, use: (path: string) => Promise<T>): Promise<{ result: T } | undefined>;
  /** Receives a copy and runs `use` with its path. @throws when its SHA-256 isn't the expected one */
  receive<T>(copy: Received, use: (path: string) => Promise<T>): Promise<T>;
  /** Moves a file here if that is possible; it no longer exists afterwards. */
  adopt(name: string, path: string, size: number): Promise<void>;
  /** Whether the disk has room for a copy; false if that can't be determined. */
  hasRoom(size: number): Promise<boolean>;
  /** Removes the copies that were used least recently, of at least that many bytes; none if they total less. Faults are logged only. */
  evict(bytes: number): Promise<void>;
  /** Removes a copy as soon as nothing uses it. One that is being received is discarded, and whoever waits for it gets a BlobMissingError. */
  forget(name: string): Promise<void>;
  /** The names of all copies. */
  names(): Promise<string[]>;
  openFile(path: string): Promise<OpenBlob>;
}

/** The minimum size that a copy is counted at, since tiny files take a block as well. */
const BLOCK_BYTES = 4096;
const READ_BYTES = 512 * 1024;

interface Parts {
  /** Absolute path. */
  folder: string;
  reader: FileReader;
  /** For all copies together; larger ones are removed after use. */
  maxBytes: number;
  /** Whether the disk has room for that many bytes. */
  hasRoom(bytes: number): Promise<boolean>;
  /** Called when a copy can't be kept or removed. */
  warn(error: unknown): void;
}

export function createFileCache({ folder, reader, maxBytes, hasRoom, warn }: Parts): FileCache {
  const inUse = new Map<string, number>();
  /** Copies on their way here. */
  const arriving = new Set<{ readonly name: string; isForgotten: boolean }>();
  /** Copies of earlier runs that weren't read since: they aren't flushed, so a power cut may have damaged them. */
  const unchecked = new Set<string>();
  const inTurn = createKeyedLock();
  const pathOf = (name: string) => join(folder, name);
  const kept = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(size, BLOCK_BYTES),
    dispose: (_size, name, reason) => {
      if (reason !== 'set' && !inUse.has(name)) removeCopy(name);
    },
  });
  let loading: Promise<void> | undefined;

  /** Removed at once: a copy received later must not be removed in its place. */
  function removeCopy(name: string) {
    reader.forget(pathOf(name));
    unchecked.delete(name);
    rmSync(pathOf(name), { force: true });
  }

  /** Finds the copies of earlier runs, in the order in which they were received. */
  async function load() {
    const found: { name: string; size: number; at: number }[] = [];
    for (const name of await ifMissing(readdir(folder), [])) {
      const stats = await ifMissing(stat(pathOf(name)), undefined);
      if (stats && refOf(name)) found.push({ name, size: stats.size, at: stats.mtimeMs });
      else rmSync(pathOf(name), { force: true, recursive: true });
    }
    for (const { name } of found) unchecked.add(name);
    for (const { name, size } of found.sort((one, two) => one.at - two.at)) keep(name, size);
  }

  /** It may be deleted at any time. */
  const makeFolder = () => mkdir(folder, { recursive: true, mode: 0o700 });

  const ready = () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));

  async function hasRoomFor(bytes: number) {
    try {
      return await hasRoom(bytes);
    } catch (error) {
      warn(error);
      return false;
    }
  }

  function keep(name: string, size: number) {
    kept.set(name, size);
    if (!kept.has(name) && !inUse.has(name)) removeCopy(name); // larger than the whole cache
  }

  async function using<T>(name: string, use: (path: string) => Promise<T>): Promise<T> {
    inUse.set(name, (inUse.get(name) ?? 0) + 1);
    try {
      return await use(pathOf(name));
    } finally {
      const others = (inUse.get(name) ?? 1) - 1;
      if (others > 0) inUse.set(name, others);
      else {
        inUse.delete(name);
        if (!kept.has(name)) removeCopy(name);
      }
    }
  }

  async function withFile<T>(name: string, use: (path: string) => Promise<T>) {
    await ready();
    if (kept.get(name) === undefined && !inUse.has(name)) return undefined;
    return using(name, async (path) => ((await inTurn(name, () => isWhole(name, path))) ? { result: await use(path) } : undefined));
  }

  /** Removes a copy that isn't: something else has removed it, or a power cut has damaged it. */
  async function isWhole(name: string, path: string): Promise<boolean> {
    const check = unchecked.has(name) ? hashOf(path).then((sha256) => name.endsWith(sha256)) : stat(path).then(() => true);
    if (!(await ifMissing(check, false))) {
      kept.delete(name);
      removeCopy(name);
      return false;
    }
    unchecked.delete(name);
    return true;
  }

  return {
    withFile,
    openFile: (path) => reader.open(path),
    async open(name) {
      try {
        return (await withFile(name, (path) => reader.open(path)))?.result;
      } catch (error) {
        if (error instanceof BlobMissingError) return undefined;
        throw error;
      }
    },
    async receive({ name, sha256, size, body }, use) {
      const part = `${pathOf(name)}.${randomUUID()}.part`;
      const own = { name, isForgotten: false };
      arriving.add(own);
      const hash = createHash('sha256');
      const hashing = async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          hash.update(chunk);
          yield chunk;
        }
      };
      try {
        await ready();
        await makeFolder();
        await writeStream(part, {}, (file) => pipeline(body, hashing, file)).catch((error: unknown) => {
          throw faultOf(error); // the connection may be lost in the middle
        });
        if (hash.digest('hex') !== sha256) throw new Error(`the object store returned wrong bytes for ${sha256}`);
        return await using(name, async (path) => {
          await rename(part, path);
          const isKept = await hasRoomFor(0);
          if (own.isForgotten) throw new BlobMissingError(`${sha256} was removed while it was received`);
          if (isKept) keep(name, size);
          return use(path);
        });
      } finally {
        arriving.delete(own);
        body.destroy();
        rmSync(part, { force: true });
      }
    },
    async adopt(name, path, size) {
      const own = { name, isForgotten: false };
      arriving.add(own);
      try {
        await ready();
        if (await hasRoomFor(0)) {
          await makeFolder();
          await rename(path, pathOf(name));
          if (own.isForgotten) removeCopy(name);
          else keep(name, size);
        }
      } catch (error) {
        warn(error); // such as a folder on another file system; the blob is stored without it
      } finally {
        arriving.delete(own);
        await rm(path, { force: true });
      }
    },
    hasRoom: hasRoomFor,
    async evict(bytes) {
      try {
        await ready();
        if (kept.calculatedSize < bytes) return;
        for (let freed = 0; freed < bytes && kept.size > 0; ) freed += kept.pop() ?? 0;
      } catch (error) {
        warn(error);
      }
    },
    async forget(name) {
      await ready();
      for (const own of arriving) if (own.name === name) own.isForgotten = true;
      kept.delete(name);
      if (!inUse.has(name)) removeCopy(name);
      // Otherwise it could reappear after a power cut.
      await ifMissing(flushFolder(folder), undefined);
    },
    async names() {
      await ready();
      return [...kept.keys()];
    },
  };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
