import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { RequestError } from '#server/platform/base/errors.ts';
import { releaseBlobs } from '#server/platform/storage/blob-rows.ts';
import { type Blobs, createBlobs } from '#server/platform/storage/blobs.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { createLocalStorage } from '#server/platform/storage/local.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';

const SHA = 'ab'.repeat(32);
const REF = { policyId: 1, sha256: SHA };
const HOUR_MS = 3_600_000;

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
    const fail = (error: unknown) => {
      throw error;
    };
    const blobs = createBlobs({ db: nodes[index], openDriver: () => driver, staging, warn: fail });
    blobs.onRemoval(async ({ sha256 }) => void removed.push(`${index} ${sha256}`));
    const store = async () => {
      const path = join(tmp, 'file');
      await writeFile(path, 'bytes');
      await blobs.store(1, { path, sha256: SHA, size: 5 } as Parameters<Blobs['store']>[1], async () => undefined);
    };
    return { blobs, store, driver };
  };
  const release = () => nodes[0].write((queries) => releaseBlobs(queries, [REF], Date.now()));
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
