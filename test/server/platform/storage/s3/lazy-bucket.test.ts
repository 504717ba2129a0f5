import { expect, it } from 'vitest';
import type * as buckets from '#server/platform/storage/s3/bucket.ts';
import { lazyBucket } from '#server/platform/storage/s3/lazy-bucket.ts';

const access = {
  endpoint: 'http://127.0.0.1:9',
  region: 'us-east-1',
  bucket: 'pictures',
  prefix: '',
  path_style: true,
  access_key_id: 'id',
  secret_access_key: 'secret',
  public_url: null,
};

it('loads its libraries again after a failure, and is retired and closed without them', async () => {
  const calls: string[] = [];
  const opened = {
    has: async () => true,
    retire: () => calls.push('retire'),
    close: async () => void calls.push('close'),
  };
  let loads = 0;
  const load = async () => {
    loads++;
    if (loads === 1) throw new Error('no such file');
    return { openBucket: () => opened } as unknown as typeof buckets;
  };
  const bucket = lazyBucket(access, {}, load);
  bucket.retire();
  await bucket.close();
  await expect(bucket.has('key')).rejects.toThrow('no such file');
  bucket.retire();
  await bucket.close();
  expect([loads, calls]).toEqual([1, []]);
  expect(await bucket.has('key')).toBe(true);
  bucket.retire();
  await bucket.close();
  expect([loads, calls]).toEqual([2, ['retire', 'close']]);
});
