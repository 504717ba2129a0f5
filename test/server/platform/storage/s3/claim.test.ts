import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { claimBucket } from '#server/platform/storage/drivers.ts';
import type * as buckets from '#server/platform/storage/s3/bucket.ts';
import { lazyBucket } from '#server/platform/storage/s3/lazy-bucket.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

const secrets = { key: () => randomBytes(32) };
const taken = { code: 'storage_unreachable', details: { problem: 'storage_not_empty', field: 'config.prefix' } };

type Put = (request: IncomingMessage, response: ServerResponse) => void;

/** An object store that stores markers as `put` says; s3rver ignores the condition. */
async function open(put: (marker: { value: string | undefined }) => Put) {
  const store = await startObjectStore();
  const marker: { value: string | undefined } = { value: undefined };
  const handle = put(marker);
  store.intercept((request, response) => {
    if (!request.url?.includes('/.pixdock')) return false;
    if (request.method === 'PUT') handle(request, response);
    else if (marker.value === undefined) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    else response.writeHead(200, { 'content-length': marker.value.length }).end(marker.value);
    return true;
  });
  return { marker, claim: (value: string) => claimBucket(store.access, value, secrets) };
}

it('gives a bucket to one of two services that claim it at the same time', async () => {
  const { marker, claim } = await open((stored) => {
    const arrived: (() => Promise<void>)[] = [];
    return (request, response) => {
      arrived.push(async () => {
        const isRefused = request.headers['if-none-match'] === '*' && stored.value !== undefined;
        const value = await text(request);
        if (isRefused) return void response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
        stored.value = value;
        response.end();
      });
      if (arrived.length === 2) void arrived[0]?.().then(arrived[1]);
    };
  });
  const results = await Promise.allSettled([claim('one'), claim('two')]);
  const won = results.findIndex(({ status }) => status === 'fulfilled');
  expect(marker.value).toBe(['one', 'two'][won]);
  expect(results[1 - won]).toMatchObject({ status: 'rejected', reason: taken });
});

it('recognises its own marker when the response to the first attempt was lost', async () => {
  const { marker, claim } = await open((stored) => async (request, response) => {
    if (stored.value !== undefined) return void response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
    stored.value = await text(request);
    response.destroy();
  });
  await claim('one');
  expect(marker.value).toBe('one');
});

it('claims a bucket of an object store that doesn’t know the condition', async () => {
  const { marker, claim } = await open((stored) => async (request, response) => {
    const value = await text(request);
    if (request.headers['if-none-match']) return void response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>');
    stored.value = value;
    response.end();
  });
  await claim('one');
  expect(marker.value).toBe('one');
});

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
