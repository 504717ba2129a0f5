import type { Bucket, BucketLimits } from './bucket.ts';
import type { S3Access } from './settings.ts';

/** A bucket whose libraries are loaded with its first request: most services start without one. */
export function lazyBucket(access: S3Access, limits: Partial<BucketLimits> = {}): Bucket {
  let opening: Promise<Bucket> | undefined;
  const open = () => (opening ??= import('./bucket.ts').then(({ openBucket }) => openBucket(access, limits)));
  return {
    put: async (...object) => (await open()).put(...object),
    putBytes: async (...object) => (await open()).putBytes(...object),
    get: async (...object) => (await open()).get(...object),
    has: async (key) => (await open()).has(key),
    delete: async (key) => (await open()).delete(key),
    async *list(prefix) {
      yield* (await open()).list(prefix);
    },
    retire: () => void open().then((bucket) => bucket.retire()),
    close: async () => (await opening)?.close(),
  };
}
