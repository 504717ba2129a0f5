import { hash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { testStorage } from '#server/platform/storage/drivers.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { openBucket } from '#server/platform/storage/s3/bucket.ts';
import { createFileCache } from '#server/platform/storage/s3/file-cache.ts';
import { createS3Storage } from '#server/platform/storage/s3/s3.ts';
import type { S3Access } from '#server/platform/storage/s3/settings.ts';
import { storageDriverContract } from '#test/contracts/storage-driver.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

const MIB = 1024 * 1024;
const MANY = 1001;
const AT_ONCE = 20;

/** The server that `npm run test:s3` names; without one, that of the other tests. */
async function chosenServer(): Promise<S3Access> {
  const { env } = process;
  const of = (name: string) => env[`PIXDOCK_TEST_S3_${name}`] ?? '';
  if (!of('ENDPOINT')) return (await startObjectStore(afterAll)).access;
  return {
    endpoint: of('ENDPOINT'),
    region: of('REGION') || 'us-east-1',
    bucket: of('BUCKET'),
    prefix: '',
    path_style: of('VIRTUAL_HOST') !== 'true',
    access_key_id: of('ACCESS_KEY'),
    secret_access_key: of('SECRET_KEY'),
    public_url: null,
  };
}

const server = await chosenServer();
/** One folder of the bucket for this run. */
const run = `pixdock-${randomUUID()}`;
const place = (): S3Access => ({ ...server, prefix: `${run}/${randomUUID()}` });
const bucket = openBucket(server);
afterAll(async () => {
  const left: string[] = [];
  for await (const key of bucket.list(`${run}/`)) left.push(key);
  await inGroups(left, (key) => bucket.delete(key));
  await bucket.close();
}, 600_000);

async function inGroups(keys: readonly string[], work: (key: string) => Promise<void>) {
  for (let start = 0; start < keys.length; start += AT_ONCE) await Promise.all(keys.slice(start, start + AT_ONCE).map(work));
}

async function open(access = place()) {
  const folder = temporaryFolder();
  const staging = join(folder, 'tmp');
  mkdirSync(staging);
  const warn = (error: unknown) => {
    throw error;
  };
  const cache = createFileCache({
    folder: join(folder, 'cache'),
    reader: createFileReader(),
    maxBytes: 64 * MIB,
    hasRoom: async () => true,
    warn,
  });
  const limits = { singleBytes: 8 * MIB, partBytes: 5 * MIB };
  const driver = createS3Storage(1, access, cache, { limits, maxCopiedBytes: 4 * MIB });
  onTestFinished(() => driver.close());
  async function put(bytes: Buffer) {
    const sha256 = hash('sha256', bytes);
    const path = join(staging, sha256);
    await writeFile(path, bytes);
    await driver.store(sha256, { path }, 'image/png');
    return sha256;
  }
  return { driver, staging, put, access };
}

storageDriverContract(`the S3 server at ${server.endpoint}`, () => open());

describe(`the S3 server at ${server.endpoint}`, () => {
  it('passes the test of a connection, and names a wrong key and a missing bucket', async () => {
    await testStorage(place());
    const refused = (changes: Partial<S3Access>) => expect(testStorage({ ...place(), ...changes })).rejects;
    await refused({ secret_access_key: 'mistyped' }).toMatchObject({ code: 'storage_unreachable' });
    await refused({ bucket: `missing-${randomUUID()}` }).toMatchObject({ code: 'storage_unreachable' });
  });

  it('puts a large file together from its parts, and sends ranges of it', { timeout: 300_000 }, async () => {
    const { driver, put, staging } = await open();
    const bytes = randomBytes(11 * MIB);
    const sha256 = await put(bytes);
    expect((await buffer((await driver.open(sha256, { uncached: true })).stream())).equals(bytes)).toBe(true);
    const range = { start: 5 * MIB - 10, end: 5 * MIB + 10 };
    const part = await buffer((await driver.open(sha256, { part: { range, size: bytes.length } })).stream(range));
    expect(part.equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
    expect(await readdir(staging)).toEqual([]);
    await driver.remove(sha256);
    expect(await driver.has(sha256)).toBe(false);
  });

  // The tests' own server can't continue a listing on the present Node.
  it.runIf(process.env.PIXDOCK_TEST_S3_ENDPOINT)('lists more objects than fit into one response', { timeout: 600_000 }, async () => {
    const { driver, access } = await open();
    const names = Array.from({ length: MANY }, (_, index) => `${access.prefix}/${String(index).padStart(5, '0')}`);
    await inGroups(names, (name) => bucket.putBytes(name, Buffer.from('x')));
    const listed: string[] = [];
    for await (const { name } of driver.list()) listed.push(name);
    expect(listed).toEqual(names);
  });
});
