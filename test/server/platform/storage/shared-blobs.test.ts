import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createThumbnails } from '#server/core/images/thumbnails.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import { createDecoding } from '#server/platform/imaging/decoding.ts';
import { type BlobRef, leaveToSweep, releaseBlobs } from '#server/platform/storage/blob-rows.ts';
import { type Blobs, createBlobs } from '#server/platform/storage/blobs.ts';
import { createDrivers } from '#server/platform/storage/drivers.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { createLocalStorage } from '#server/platform/storage/local.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';

const SHA = 'ab'.repeat(32);
const REF = { policyId: 1, sha256: SHA };
const HOUR_MS = 3_600_000;
const fail = (error: unknown) => {
  throw error;
};

/** Two services that store in one folder. */
async function two() {
  vi.useFakeTimers({ toFake: ['Date'] });
  const nodes = await twoNodes();
  const folder = temporaryFolder();
  const removed: string[] = [];
  const open = async (index: 0 | 1) => {
    const tmp = temporaryFolder();
    await mkdir(join(tmp, 'tmp'));
    const staging = openStaging(join(tmp, 'tmp'), async () => undefined);
    const driver = createLocalStorage(folder, createFileReader());
    const blobs = createBlobs({ db: nodes[index], openDriver: () => driver, staging, warn: fail });
    blobs.onRemoval(
      async ({ sha256 }) => void removed.push(`${index} ${sha256}`),
      async function* () {
        // Nothing is derived before the start.
      },
    );
    const store = async () => {
      const path = join(tmp, 'file');
      await writeFile(path, 'bytes');
      await blobs.store('job', 1, { path, sha256: SHA, size: 5 } as Parameters<Blobs['store']>[2], async () => undefined);
    };
    return { blobs, store, driver };
  };
  const release = () => nodes[0].as('job').write((queries) => releaseBlobs(queries, [REF], Date.now()));
  const pass = (hours: number) => void vi.setSystemTime(Date.now() + hours * HOUR_MS);
  return { here: await open(0), there: await open(1), release, pass, removed };
}

it('keeps unused files for longer than another service takes to store or back them up', async () => {
  const { here, there, release, pass, removed } = await two();
  await here.store();
  await release();
  pass(11);
  expect(await there.blobs.sweep()).toBe(0);
  // The same bytes arrive once more: the file must stay, though nothing refers to it yet.
  await here.store();
  await release();
  pass(2);
  expect([await there.blobs.sweep(), await there.driver.has(SHA)]).toEqual([0, true]);
  pass(11);
  expect([await there.blobs.sweep(), await there.driver.has(SHA)]).toEqual([5, false]);
  expect(removed.toSorted()).toEqual([`0 ${SHA}`, `1 ${SHA}`]);
  vi.useRealTimers();
});

it('stores no file that another service is removing', async () => {
  const { here, there, release, pass } = await two();
  await here.store();
  await release();
  pass(13);
  const remove = vi.spyOn(there.driver, 'remove').mockImplementationOnce(async () => {
    await expect(here.store()).rejects.toMatchObject({ code: 'unavailable' });
    throw new Error('the disk fails');
  });
  await expect(there.blobs.sweep()).rejects.toThrow('1 unused blobs');
  remove.mockRestore();
  expect(await there.blobs.sweep()).toBe(5);
  await here.store();
  expect(await there.driver.has(SHA)).toBe(true);
  vi.useRealTimers();
});

it('leaves the removal of a blob to the service that has begun it', async () => {
  const { here, there, release, pass } = await two();
  await here.store();
  await release();
  pass(13);
  const remove = vi.spyOn(there.driver, 'remove').mockImplementationOnce(async () => {
    const other = vi.spyOn(here.driver, 'remove');
    expect([await here.blobs.sweep(), other.mock.calls]).toEqual([0, []]);
  });
  expect(await there.blobs.sweep()).toBe(5);
  expect(remove).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

it('stores a file again at once when its removal has failed', async () => {
  const { here, there, release, pass } = await two();
  await here.store();
  await release();
  pass(13);
  vi.spyOn(there.driver, 'remove').mockRejectedValueOnce(new Error('the disk fails'));
  await expect(there.blobs.sweep()).rejects.toThrow('1 unused blobs');
  await here.store();
  expect([await there.blobs.sweep(), await there.driver.has(SHA)]).toEqual([0, true]);
  vi.useRealTimers();
});

it('waits for an hour when it isn’t known whether the object store will still remove a file, or a service has failed', async () => {
  const { here, there, release, pass } = await two();
  await here.store();
  await release();
  pass(13);
  Object.assign(there.driver, { isRemote: true });
  vi.spyOn(there.driver, 'remove').mockRejectedValueOnce(new RequestError('unavailable', 'timeout'));
  await expect(there.blobs.sweep()).rejects.toThrow('timeout');
  await expect(here.store()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await here.blobs.sweep()).toBe(0);
  pass(1);
  await here.store();
  await release();
  pass(13);
  expect([await here.blobs.sweep(), await here.driver.has(SHA)]).toEqual([5, false]);
  vi.useRealTimers();
});

it('stops removing files when another service takes over', async () => {
  const { here, release, pass } = await two();
  await here.store();
  await release();
  pass(13);
  expect([await here.blobs.sweep({ signal: AbortSignal.abort() }), await here.driver.has(SHA)]).toEqual([0, true]);
  vi.useRealTimers();
});

it('removes thumbnails and copies of pictures that another service has deleted while it was not connected', async () => {
  const [db, other] = await twoNodes();
  const folder = temporaryFolder();
  const [thumbs, cache] = [join(folder, 'thumbs'), join(folder, 'cache')];
  const listeners: ((message: undefined) => void)[] = [];
  const deaf: Database = { ...db, onAnnouncement: (listener) => void listeners.push(listener) };
  const staging = openStaging(join(folder, 'tmp'));
  const reader = createFileReader();
  const drivers = createDrivers({
    dataDir: folder,
    secrets: { key: () => Buffer.alloc(32) },
    reader,
    hasRoom: async () => true,
    warn: fail,
  });
  const blobs = createBlobs({ db: deaf, openDriver: drivers.open, staging, warn: fail });
  blobs.onRemoval(drivers.forgetCopy, drivers.copies);
  createThumbnails({ folder: thumbs, staging, decoding: createDecoding({ atOnce: 1, bytes: 1e9 }), reader, blobs, log: { warn: fail } });
  const [kept, copied, shown] = [SHA, 'cd'.repeat(32), 'ef'.repeat(32)];
  for (const sha256 of [kept, copied, shown]) await leaveToSweep(db.as('job'), { policyId: 1, sha256 });
  await mkdir(cache);
  for (const sha256 of [kept, copied]) await writeFile(join(cache, `1-${sha256}`), 'x');
  for (const sha256 of [kept, shown]) {
    const of = join(thumbs, sha256.slice(0, 2), sha256.slice(2, 4), `1-${sha256}`);
    await mkdir(of, { recursive: true });
    await writeFile(join(of, '400.jpg'), 'x');
  }
  const left = () =>
    [cache, thumbs].map((path) => readdirSync(path, { recursive: true }).filter((name) => /\d-[0-9a-f]{64}$/.test(String(name))));
  const [copies, thumbnails] = left();
  expect([await blobs.sweepDerived(), left()]).toEqual([0, [copies, thumbnails]]);
  await other.as('job').write((queries) => queries.deleteFrom('blobs').where('sha256', 'in', [copied, shown]).execute());
  expect([await blobs.sweepDerived(), left()]).toEqual([0, [copies, thumbnails]]);
  for (const listener of listeners) listener(undefined); // connected again
  expect([await blobs.sweepDerived(), left()]).toEqual([2, [[`1-${kept}`], [join('ab', 'ab', `1-${kept}`)]]]);
});

it('removes what was made of all other pictures when that of one can’t be removed', async () => {
  const [db, other] = await twoNodes();
  const folder = temporaryFolder();
  const refs = ['ab', 'cd', 'ef'].map((start): BlobRef => ({ policyId: 1, sha256: start.repeat(32) }));
  const left = new Set(refs);
  let isBroken = true;
  const blobs = createBlobs({ db, openDriver: fail, staging: openStaging(join(folder, 'tmp')), warn: fail });
  blobs.onRemoval(
    async ({ sha256 }) => {
      if (isBroken && sha256 === refs[0]?.sha256) throw new Error('input/output error');
      for (const ref of left) if (ref.sha256 === sha256) left.delete(ref);
    },
    async function* () {
      yield* left;
    },
  );
  await other.as('job').write((queries) => queries.deleteFrom('blobs').execute());
  await expect(blobs.sweepDerived()).rejects.toThrow('1 removed blobs');
  expect([...left]).toEqual([refs[0]]);
  isBroken = false;
  await blobs.sweepDerived();
  expect(left.size).toBe(0);
});
