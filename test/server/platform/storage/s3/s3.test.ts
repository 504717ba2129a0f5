import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { BlobMissingError, type StoredFile } from '#server/platform/storage/driver.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { createFileCache } from '#server/platform/storage/s3/file-cache.ts';
import { createS3Storage } from '#server/platform/storage/s3/s3.ts';
import { storageDriverContract } from '#test/contracts/storage-driver.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

const MIB = 1024 * 1024;

const fail = (error: unknown) => {
  throw error;
};

interface Options {
  cacheBytes?: number;
  maxCopiedBytes?: number;
  partBytes?: number;
  silentMs?: number;
  hasRoom?: () => boolean;
  warn?: (error: unknown) => void;
}

async function open(options: Options = {}) {
  const {
    cacheBytes = 64 * MIB,
    maxCopiedBytes = 16 * MIB,
    partBytes = 16 * MIB,
    silentMs = 5_000,
    hasRoom = () => true,
    warn = fail,
  } = options;
  const store = await startObjectStore();
  const folder = temporaryFolder();
  const [staging, copies] = [join(folder, 'tmp'), join(folder, 'cache')];
  mkdirSync(staging);
  const cache = createFileCache({
    folder: copies,
    reader: createFileReader(),
    maxBytes: cacheBytes,
    hasRoom: async () => hasRoom(),
    warn,
  });
  const limits = { singleBytes: partBytes, partBytes, silentMs };
  const driver = createS3Storage(1, store.access, cache, { limits, maxCopiedBytes });
  async function put(bytes: Buffer) {
    const sha256 = hash('sha256', bytes);
    const path = join(staging, sha256);
    writeFileSync(path, bytes);
    await driver.store(sha256, { path }, 'image/png');
    store.requests.length = 0;
    return sha256;
  }
  /** As after a restart with an empty cache. */
  const cold = () =>
    createS3Storage(
      1,
      store.access,
      createFileCache({
        folder: join(folder, 'cold'),
        reader: createFileReader(),
        maxBytes: cacheBytes,
        hasRoom: async () => true,
        warn: fail,
      }),
      { limits, maxCopiedBytes },
    );
  return { store, driver, cache, staging, copies, put, cold };
}

storageDriverContract('a bucket', () => open());
storageDriverContract('a bucket without copies', () => open({ cacheBytes: 1, maxCopiedBytes: 0 }));

it('sends a large file in parts, which the object store puts together', async () => {
  const { store, driver, put } = await open({ partBytes: 5 * MIB });
  const bytes = randomBytes(11 * MIB);
  const sha256 = await put(bytes);
  expect((await buffer((await driver.open(sha256, { uncached: true })).stream())).equals(bytes)).toBe(true);
  expect(store.requests).toHaveLength(1);
});

it('aborts an upload whose part fails, and reports that the storage is not available', async () => {
  const { store, put } = await open({ partBytes: 5 * MIB });
  let aborted = '';
  store.intercept((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://store');
    if (request.method === 'DELETE') {
      aborted = searchParams.get('uploadId') ?? '';
      response.writeHead(204).end();
      return true;
    }
    if (searchParams.get('partNumber') !== '2') return false;
    request.resume();
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    return true;
  });
  await expect(put(randomBytes(11 * MIB))).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 30 } });
  expect(aborted).not.toBe('');
});

it('aborts what a crash has left of an upload when it removes the blob', async () => {
  const { store, driver } = await open();
  const sha256 = 'ab'.repeat(32);
  const key = `pixdock/ab/ab/${sha256}`;
  store.intercept((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://store');
    if (searchParams.has('uploads')) {
      const upload = (of: string, id: string) => `<Upload><Key>${of}</Key><UploadId>${id}</UploadId></Upload>`;
      response.end(`<ListMultipartUploadsResult>${upload(key, 'left')}${upload(`${key}0`, 'other')}</ListMultipartUploadsResult>`);
      return true;
    }
    if (!searchParams.has('uploadId')) return false;
    response.writeHead(204).end();
    return true;
  });
  await driver.remove(sha256);
  expect(store.requests.filter((request) => request.includes('uploadId'))).toEqual([`DELETE /pictures/${key}?uploadId=left`]);
});

it('asks the object store once for a blob that many want at the same time', async () => {
  const { store, put, cold } = await open();
  const bytes = randomBytes(100_000);
  const sha256 = await put(bytes);
  const driver = cold();
  const read = async () => buffer((await driver.open(sha256)).stream());
  const all = await Promise.all(Array.from({ length: 20 }, read));
  expect(all.every((one) => one.equals(bytes))).toBe(true);
  await driver.withFile(sha256, readFile);
  expect(store.requests).toHaveLength(1);
});

it('requests only the wanted part of a blob that is too large to copy', async () => {
  const { store, put, cold } = await open({ maxCopiedBytes: 50_000 });
  const bytes = randomBytes(100_000);
  const sha256 = await put(bytes);
  const ranges: (string | undefined)[] = [];
  store.intercept(({ headers }) => {
    ranges.push(headers.range);
    return false;
  });
  const range = { start: 10, end: 19 };
  for (const options of [{ part: { range, size: bytes.length } }, {}]) {
    const part = await buffer((await cold().open(sha256, options)).stream(range));
    expect(part.equals(bytes.subarray(10, 20))).toBe(true);
  }
  expect(ranges).toEqual(['bytes=10-19', undefined, 'bytes=10-19']);
});

it('serves others while many read slowly, and ends the request of a stream that is destroyed before it is read', async () => {
  const { store, put, driver } = await open({ partBytes: 64 * MIB });
  const sha256 = await put(randomBytes(20 * MIB));
  let left = 0;
  store.intercept((_request, response) => {
    response.once('close', () => left++);
    return false;
  });
  const slow = await Promise.all(Array.from({ length: 40 }, () => driver.open(sha256, { uncached: true })));
  expect(await driver.has(sha256)).toBe(true);
  for (const blob of slow) blob.stream().destroy();
  await expect.poll(() => left).toBe(41);
});

it('closes its connections when it is replaced, once the last response has been read', async () => {
  const { store, put, driver } = await open({ partBytes: 64 * MIB });
  const bytes = randomBytes(20 * MIB);
  const sha256 = await put(bytes);
  const reading = await driver.open(sha256, { uncached: true });
  driver.retire();
  expect(await store.connections()).toBe(1);
  expect((await buffer(reading.stream())).equals(bytes)).toBe(true);
  await expect.poll(store.connections).toBe(0);
  expect(await driver.has(sha256)).toBe(true); // by a caller that has had it since before
  await expect.poll(store.connections).toBe(0);
});

it('can be replaced while the service stops', async () => {
  const { put, driver } = await open();
  const sha256 = await put(randomBytes(10));
  await driver.close();
  driver.retire(); // must not end the process with an unhandled rejection
  await expect(driver.has(sha256)).rejects.toThrow('destroyed');
});

it('fails for all who wait for a blob when the object store is silent, and asks it again later', async () => {
  const { store, put, cold } = await open({ silentMs: 200 });
  const sha256 = await put(randomBytes(1000));
  const driver = cold();
  store.intercept(() => true);
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => driver.open(sha256)));
  expect(all.map((one) => one.status === 'rejected' && one.reason.reason)).toEqual(Array(5).fill('timeout'));
  expect(store.requests).toHaveLength(1);
  store.intercept(undefined);
  await (await driver.open(sha256)).close();
});

it('reports that the storage is not available when the connection is lost in the middle of a blob', async () => {
  const { store, put, cold } = await open();
  const sha256 = await put(randomBytes(1000));
  store.intercept((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy());
    return true;
  });
  await expect(cold().open(sha256)).rejects.toMatchObject({ code: 'unavailable', reason: 'connection' });
  const { stream } = await cold().open(sha256, { uncached: true });
  await expect(buffer(stream())).rejects.toMatchObject({ code: 'unavailable', reason: 'connection' });
});

it('refuses a response without a length', async () => {
  const { store, put, cold } = await open();
  const sha256 = await put(randomBytes(1000));
  store.intercept((_request, response) => {
    response.write('bytes');
    response.end();
    return true;
  });
  await expect(cold().open(sha256)).rejects.toMatchObject({ reason: 'not_s3' });
});

it('keeps no copies while the disk is full, and stores and reads without them', async () => {
  const { copies, driver, put } = await open({ hasRoom: () => false });
  const bytes = randomBytes(1000);
  const sha256 = await put(bytes);
  expect((await driver.withFile(sha256, (path) => readFile(path))).equals(bytes)).toBe(true);
  expect(readdirSync(copies)).toEqual([]);
});

it('stores a blob whose copy cannot be kept', async () => {
  const warnings: unknown[] = [];
  const { copies, driver, put } = await open({ warn: (error) => warnings.push(error) });
  await put(randomBytes(1000));
  const bytes = randomBytes(1000);
  mkdirSync(join(copies, `1-${hash('sha256', bytes)}`));
  expect(await driver.has(await put(bytes))).toBe(true);
  expect(warnings).toMatchObject([{ syscall: 'rename' }]);
});

it('keeps the copies that were used last, within its limit', async () => {
  const { copies, driver, put } = await open({ cacheBytes: 25_000 });
  const [first, second] = [await put(randomBytes(10_000)), await put(randomBytes(10_000))];
  await (await driver.open(first)).close();
  const third = await put(randomBytes(10_000));
  expect(readdirSync(copies).sort()).toEqual([`1-${first}`, `1-${third}`].sort());
  expect(await driver.has(second)).toBe(true);
});

it('removes copies to make room, those that were used least recently first, and none if that is not enough', async () => {
  const { cache, copies, driver, put } = await open();
  const [first, second] = [await put(randomBytes(10_000)), await put(randomBytes(10_000))];
  await (await driver.open(first)).close();
  await cache.evict(20_001);
  expect(readdirSync(copies)).toHaveLength(2);
  await cache.evict(5_000);
  expect(readdirSync(copies)).toEqual([`1-${first}`]);
  await driver.withFile(first, async (path) => {
    await cache.evict(10_000);
    expect(await readFile(path)).toHaveLength(10_000);
  });
  expect(readdirSync(copies)).toEqual([]);
  expect(await driver.has(second)).toBe(true);
});

it('removes nothing while its folder can’t be read, and keeps copies once it can', async () => {
  const warnings: unknown[] = [];
  const { cache, copies, put } = await open({ warn: (error) => warnings.push(error) });
  writeFileSync(copies, 'in the way');
  await cache.evict(1);
  expect(warnings).toMatchObject([{ code: 'ENOTDIR' }]);
  rmSync(copies);
  const sha256 = await put(randomBytes(1000));
  expect(readdirSync(copies)).toEqual([`1-${sha256}`]);
});

it('serves blobs without a copy while the free space is unknown', async () => {
  const warnings: unknown[] = [];
  const fault = new Error('input/output error');
  const { driver, copies, put } = await open({
    warn: (error) => warnings.push(error),
    hasRoom: () => {
      throw fault;
    },
  });
  const bytes = randomBytes(1000);
  const sha256 = await put(bytes);
  expect((await buffer((await driver.open(sha256)).stream())).equals(bytes)).toBe(true);
  expect((await driver.withFile(sha256, (path) => readFile(path))).equals(bytes)).toBe(true);
  expect(readdirSync(copies)).toEqual([]);
  expect(warnings).toEqual([fault, fault, fault]);
});

it('keeps a copy while it is in use, even if it is larger than the cache', async () => {
  const { copies, driver, put } = await open({ cacheBytes: 5_000 });
  const bytes = randomBytes(10_000);
  const sha256 = await put(bytes);
  expect(readdirSync(copies)).toEqual([]);
  expect((await driver.withFile(sha256, (path) => readFile(path))).equals(bytes)).toBe(true);
  expect(readdirSync(copies)).toEqual([]);
});

/** As after a restart. */
const reopened = (copies: string) =>
  createFileCache({ folder: copies, reader: createFileReader(), maxBytes: MIB, hasRoom: async () => true, warn: fail });

it('finds the copies of an earlier run', async () => {
  const { store, copies, put } = await open();
  const sha256 = await put(randomBytes(10_000));
  writeFileSync(join(copies, `1-${sha256}.half.part`), 'half');
  const again = createS3Storage(1, store.access, reopened(copies));
  await (await again.open(sha256)).close();
  expect(store.requests).toEqual([]);
  expect(readdirSync(copies)).toEqual([`1-${sha256}`]);
});

it.each<[what: string, tear: (bytes: Buffer) => Buffer]>([
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (bytes) => bytes.subarray(0, 4096)],
  ['zeros at their end', (bytes) => Buffer.from(bytes).fill(0, 4096)],
])('replaces copies of an earlier run that are %s after a power cut', async (_, tear) => {
  const { store, copies, put } = await open();
  const bytes = randomBytes(10_000);
  const sha256 = await put(bytes);
  const copy = join(copies, `1-${sha256}`);
  for (const read of ['open', 'withFile'] as const) {
    writeFileSync(copy, tear(bytes));
    store.requests.length = 0;
    const again = createS3Storage(1, store.access, reopened(copies));
    const all = await Promise.all(
      Array.from({ length: 3 }, async () =>
        read === 'open' ? buffer((await again.open(sha256)).stream()) : again.withFile(sha256, (path) => readFile(path)),
      ),
    );
    expect(all.every((one) => one.equals(bytes))).toBe(true);
    expect([store.requests.length, (await readFile(copy)).equals(bytes)]).toEqual([1, true]);
  }
});

it('refuses bytes that are not the ones it stored', async () => {
  const { store, put, cold, driver } = await open();
  const sha256 = await put(randomBytes(1000));
  store.intercept((_request, response) => {
    response.end('other bytes');
    return true;
  });
  await expect(cold().open(sha256)).rejects.toThrow('wrong bytes');
  await (await driver.open(sha256)).close();
});

it('reports that the storage is not available while the object store is down, and works again afterwards', async () => {
  const { store, put, cold, staging } = await open();
  const sha256 = await put(randomBytes(1000));
  await store.stop();
  const unavailable = { code: 'unavailable', details: { retry_after: 30 }, reason: 'connection' };
  await expect(cold().open(sha256)).rejects.toMatchObject(unavailable);
  await expect(put(randomBytes(1000))).rejects.toMatchObject(unavailable);
  expect(readdirSync(staging)).toHaveLength(1);
  await store.start();
  await (await cold().open(sha256)).close();
});

it('lists its own blobs and everything else below its prefix, and sets strays aside', async () => {
  const { driver, put, staging, store } = await open();
  const sha256 = await put(randomBytes(1000));
  await fetch(`${store.access.endpoint}/pictures/pixdock/stray.txt`, { method: 'PUT', body: 'stray' });
  const all: StoredFile[] = [];
  for await (const file of driver.list()) all.push(file);
  expect(all.map((file) => [file.name, file.sha256])).toEqual([
    [`pixdock/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`, sha256],
    ['pixdock/stray.txt', undefined],
  ]);
  await driver.setAside('pixdock/stray.txt', join(staging, 'aside'));
  expect(await readFile(join(staging, 'aside'), 'utf8')).toBe('stray');
  for await (const file of driver.list()) expect(file.sha256).toBe(sha256);
});

it('lists more objects than fit into one response', async () => {
  const { driver, store } = await open();
  const keys = Array.from({ length: 2500 }, (_, index) => `pixdock/${String(index).padStart(5, '0')}`);
  // s3rver can't continue a listing.
  store.intercept(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://store');
    const start = Number(searchParams.get('continuation-token')?.replace('from ', '') ?? 0);
    const end = start + 1000;
    const next = end < keys.length ? `<NextContinuationToken>from ${end}</NextContinuationToken>` : '';
    const contents = keys.slice(start, end).map((key) => `<Contents><Key>${key}</Key>${OTHER_FIELDS}</Contents>`);
    response.end(`<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`);
    return true;
  });
  const listed: string[] = [];
  for await (const { name } of driver.list()) listed.push(name);
  expect(listed).toEqual(keys);
  expect(store.requests).toHaveLength(3);
});

const OTHER_FIELDS = '<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"0"</ETag><Size>1</Size>';

it('discards a copy that is forgotten while it is received, and those who wait for it get none', async () => {
  const { cache, copies } = await open();
  const bytes = randomBytes(100_000);
  const sha256 = hash('sha256', bytes);
  const name = `1-${sha256}`;
  const use = vi.fn(async () => 'used');
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: forgotten, resolve: forget } = Promise.withResolvers<void>();
  const arriving = async function* () {
    yield bytes.subarray(0, 50_000);
    reach();
    await forgotten;
    yield bytes.subarray(50_000);
  };
  const received = cache.receive({ name, sha256, size: bytes.length, body: Readable.from(arriving()) }, use);
  await reached;
  await cache.forget(name);
  forget();
  await expect(received).rejects.toBeInstanceOf(BlobMissingError);
  expect(use).not.toHaveBeenCalled();
  expect([await cache.names(), readdirSync(copies)]).toEqual([[], []]);
});

it.each(['receive', 'adopt'] as const)('discards a copy that is forgotten while room is made for it: %s', async (way) => {
  const bytes = randomBytes(1_000);
  const sha256 = hash('sha256', bytes);
  const name = `1-${sha256}`;
  const folder = temporaryFolder();
  const copies = join(folder, 'cache');
  const cache = createFileCache({
    folder: copies,
    reader: createFileReader(),
    maxBytes: MIB,
    async hasRoom() {
      await cache.forget(name);
      return true;
    },
    warn: fail,
  });
  const path = join(folder, 'staged');
  writeFileSync(path, bytes);
  if (way === 'adopt') await cache.adopt(name, path, bytes.length);
  else {
    const received = cache.receive({ name, sha256, size: bytes.length, body: Readable.from([bytes]) }, async () => 'used');
    await expect(received).rejects.toBeInstanceOf(BlobMissingError);
  }
  expect([await cache.names(), readdirSync(copies)]).toEqual([[], []]);
});

it('removes a copy that is forgotten while it is used once it isn’t', async () => {
  const { cache, driver, copies, put } = await open();
  const sha256 = await put(randomBytes(1_000));
  const bytes = await driver.withFile(sha256, async (path) => {
    await cache.forget(`1-${sha256}`);
    return readFile(path);
  });
  expect([bytes.length, await cache.names(), readdirSync(copies)]).toEqual([1_000, [], []]);
});
