import type { Bucket, BucketLimits } from './bucket.ts';
import type { S3Access } from './settings.ts';

/** A bucket whose libraries are loaded with its first request: most services start without one. */
export function lazyBucket(access: S3Access, limits: Partial<BucketLimits> = {}, load = () => import('./bucket.ts')): Bucket {
  let opened: Promise<Bucket> | undefined;
  async function open(): Promise<Bucket> {
    const { openBucket } = await load();
    return openBucket(access, limits);
  }
  const bucket = () => {
    opened ??= open().catch((error) => {
      opened = undefined; // the next request loads them again
      throw error;
    });
    return opened;
  };
  /** Undefined before the first request, and when the libraries couldn't be loaded, which that request has reported. */
  const known = async () => opened?.catch(() => undefined);
  return {
    put: async (...object) => (await bucket()).put(...object),
    putBytes: async (...object) => (await bucket()).putBytes(...object),
    create: async (...object) => (await bucket()).create(...object),
    get: async (...object) => (await bucket()).get(...object),
    has: async (key) => (await bucket()).has(key),
    delete: async (key) => (await bucket()).delete(key),
    async *list(prefix) {
      yield* (await bucket()).list(prefix);
    },
    retire: () => void known().then((bucket) => bucket?.retire()),
    close: async () => (await known())?.close(),
  };
}
