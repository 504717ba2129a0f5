import { stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { onDisk } from '#server/platform/files/staged-file.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { nameOf } from '../blob-rows.ts';
import type { ByteRange, OpenBlob, StorageDriver } from '../driver.ts';
import type { Bucket, BucketLimits, StoredObject } from './bucket.ts';
import { faultOf, StorageFault } from './fault.ts';
import type { FileCache } from './file-cache.ts';
import { lazyBucket } from './lazy-bucket.ts';
import { MARKER, probeBucket } from './probe.ts';
import { rootOf, type S3Access } from './settings.ts';

/** Larger blobs are streamed from the object store for every request, instead of delaying the first byte until the copy is complete. */
const MAX_COPIED_BYTES = 16 * 1024 * 1024;

interface Options {
  limits?: Partial<BucketLimits>;
  maxCopiedBytes?: number;
}

/**
 * Stores blobs as objects `prefix/ab/cd/<sha256>` of an S3-compatible bucket, with copies of recently used ones on this machine.
 * @param id names the policy in the cache
 */
export function createS3Storage(id: number, access: S3Access, cache: FileCache, options: Options = {}): StorageDriver {
  const { limits = {}, maxCopiedBytes = MAX_COPIED_BYTES } = options;
  const bucket = lazyBucket(access, limits);
  const oneByOne = createFlights();
  const root = rootOf(access);
  const relativeKey = (sha256: string) => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  const keyOf = (sha256: string) => `${root}${relativeKey(sha256)}`;
  const copyOf = (sha256: string) => nameOf({ policyId: id, sha256 });

  async function copied<T>(sha256: string, found: StoredObject, use: (path: string) => Promise<T>): Promise<T> {
    return cache.receive({ name: copyOf(sha256), sha256, size: found.size, body: found.body }, use);
  }

  return {
    location: `${access.endpoint.replace(/\/$/, '')}/${access.bucket}/${root}`,
    isRemote: true,

    async store(sha256, file, mime) {
      const path = await onDisk(file);
      const { size } = await stat(path);
      await bucket.put(keyOf(sha256), path, size, mime);
      await cache.adopt(copyOf(sha256), path, size);
    },

    async open(sha256, { uncached = false, part } = {}) {
      const key = keyOf(sha256);
      if (uncached) return streamed(bucket, key, await bucket.get(key));
      const known = await cache.open(copyOf(sha256));
      if (known) return known;
      if (part && part.size > maxCopiedBytes) {
        const { body } = await bucket.get(key, part.range);
        return streamed(bucket, key, { size: part.size, body }, part.range);
      }
      return oneByOne(sha256, async () => {
        const meanwhile = await cache.open(copyOf(sha256));
        if (meanwhile) return meanwhile;
        const found = await bucket.get(key);
        const isKept = found.size <= maxCopiedBytes && (await cache.hasRoom(found.size));
        return isKept ? copied(sha256, found, cache.openFile) : streamed(bucket, key, found);
      });
    },

    async withFile(sha256, use) {
      const known = await cache.withFile(copyOf(sha256), use);
      if (known) return known.result;
      return oneByOne(sha256, async () => {
        const meanwhile = await cache.withFile(copyOf(sha256), use);
        return meanwhile ? meanwhile.result : copied(sha256, await bucket.get(keyOf(sha256)), use);
      });
    },

    has: (sha256) => bucket.has(keyOf(sha256)),

    async remove(sha256) {
      await bucket.delete(keyOf(sha256));
      await cache.forget(copyOf(sha256));
    },

    check: () => probeBucket(bucket, root),
    space: async () => undefined,
    peek: () => undefined,
    publicUrl: (sha256) => (access.public_url === null ? undefined : `${access.public_url}/${relativeKey(sha256)}`),
    nameOf: (sha256) => `${access.bucket}/${keyOf(sha256)}`,

    async *list() {
      for await (const key of bucket.list(root)) {
        if (key === `${root}${MARKER}`) continue;
        const sha256 = key.slice(key.lastIndexOf('/') + 1);
        yield {
          name: key,
          sha256: /^[0-9a-f]{64}$/.test(sha256) && key === keyOf(sha256) ? sha256 : undefined,
        };
      }
    },

    async setAside(key, path) {
      await writeStream(path, { flags: 'wx', flush: true }, async (file) => pipeline((await bucket.get(key)).body, file));
      await bucket.delete(key);
    },

    release: () => bucket.delete(`${root}${MARKER}`),
    retire: () => bucket.retire(),
    close: () => bucket.close(),
  };
}

/** Runs work on the same blob one at a time. When the object store fails, those who wait for their turn fail as well, instead of one after another. */
function createFlights() {
  const lock = createKeyedLock();
  const flights = new Map<string, { fault?: StorageFault; callers: number }>();
  return async <T>(sha256: string, work: () => Promise<T>): Promise<T> => {
    const flight = flights.get(sha256) ?? { callers: 0 };
    flights.set(sha256, flight);
    flight.callers++;
    const end = () => void (flights.get(sha256) === flight && flights.delete(sha256));
    try {
      return await lock(sha256, async () => {
        if (flight.fault) throw flight.fault;
        try {
          return await work();
        } catch (error) {
          if (error instanceof StorageFault) {
            flight.fault = error;
            end();
          }
          throw error;
        }
      });
    } finally {
      if (--flight.callers === 0) end();
    }
  };
}

/** A blob that is sent as it arrives. @param held the range that `body` contains; a different range takes another request */
function streamed(bucket: Bucket, key: string, { size, body }: StoredObject, held?: ByteRange): OpenBlob {
  const whole = { start: 0, end: size - 1 };
  const isHeld = ({ start, end } = whole) => start === (held ?? whole).start && end === (held ?? whole).end;
  const request = async function* (range?: ByteRange) {
    try {
      yield* isHeld(range) ? body : (await bucket.get(key, range ?? whole)).body;
    } catch (error) {
      throw faultOf(error); // the connection may be lost in the middle
    }
  };
  const stream = (range?: ByteRange) => {
    if (!isHeld(range)) body.destroy();
    // Nothing is requested of a generator that is never read.
    return Readable.from(request(range), { objectMode: false }).once('close', () => body.destroy());
  };
  return {
    size,
    stream,
    sendTo: (target: Writable, range) => pipeline(stream(range), target),
    close: async () => void body.destroy(),
  };
}
