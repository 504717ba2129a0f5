import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '#server/core/context.ts';
import { releaseBlobs } from '#server/platform/storage/blob-rows.ts';
import { faultOfResponse, StorageFault } from '#server/platform/storage/s3/fault.ts';
import { eio, fileHandles } from '#test/helpers/programs/file-handles.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';

const POLICY = 1;

async function open() {
  const { context, close } = await openTestContext();
  onTestFinished(close);
  return context;
}

async function stage({ staging }: Context, bytes = randomBytes(1000)) {
  const writer = await staging.create();
  await writer.write(bytes);
  return writer.finish();
}

/** Stores a blob that no image uses. */
async function unusedBlob(context: Context) {
  const file = await stage(context);
  const { sha256 } = file;
  await context.blobs.store('job', POLICY, file, async () => undefined);
  await context.db.as('job').write((queries) => releaseBlobs(queries, [{ policyId: POLICY, sha256 }], Date.now()));
  return sha256;
}

const notesIn = ({ staging }: Context) => readdirSync(staging.folder).filter((name) => name.endsWith('.intent'));
const pathOf = ({ config }: Context, sha256: string) => join(config.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

it('removes unused blobs and reports how many bytes that freed', async () => {
  const context = await open();
  await unusedBlob(context);
  await unusedBlob(context);
  expect(await context.blobs.sweep()).toBe(2000);
  expect(await context.db.read.selectFrom('blobs').selectAll().execute()).toEqual([]);
  expect(await context.blobs.sweep()).toBe(0);
});

it("removes the others when one can't be removed, and reports it", async () => {
  const context = await open();
  const blobs = [await unusedBlob(context), await unusedBlob(context), await unusedBlob(context)].sort();
  const stuck = blobs[0] as string;
  // A folder in place of the file: removing it fails even for root.
  rmSync(pathOf(context, stuck));
  mkdirSync(pathOf(context, stuck));
  await expect(context.blobs.sweep()).rejects.toThrow('1 unused blobs could not be removed');
  expect(await context.db.read.selectFrom('blobs').select('sha256').execute()).toEqual([{ sha256: stuck }]);
});

it('leaves no file, row or pending entry when the write that refers to the blob fails', async () => {
  const context = await open();
  const file = await stage(context);
  const fails = context.blobs.store('job', POLICY, file, async () => {
    throw new Error('no room for the row');
  });
  await expect(fails).rejects.toThrow('no room for the row');
  expect(await (await context.blobs.driverOf(POLICY)).has(file.sha256)).toBe(false);
  expect(await context.db.read.selectFrom('blobs').selectAll().execute()).toEqual([]);
  expect(readdirSync(context.staging.folder)).toEqual([]);
});

it('keeps the note of a blob whose row may not survive a power cut, until a flush has succeeded', async () => {
  const context = await open();
  const [one, other] = [await stage(context), await stage(context)];
  const failing = async (file: typeof one, times: number) => {
    const flush = vi.spyOn(fileHandles(), 'datasync').mockResolvedValueOnce(undefined); // of the file
    for (let left = times; left > 0; left--) flush.mockRejectedValueOnce(eio());
    await expect(context.blobs.store('job', POLICY, file, async () => undefined)).rejects.toThrow('i/o error');
    vi.restoreAllMocks();
  };
  await failing(one, 1);
  expect(notesIn(context)).toEqual([]);
  await failing(other, 2);
  expect(notesIn(context)).toEqual([expect.stringContaining(other.sha256)]);
  const removed: string[] = [];
  context.blobs.onRemoval(
    async ({ sha256 }) => void removed.push(sha256),
    () => Readable.from([]),
  );
  // As after the power cut.
  await context.db.as('job').write((queries) => queries.deleteFrom('blobs').execute());
  await context.blobs.recover();
  expect([existsSync(pathOf(context, one.sha256)), existsSync(pathOf(context, other.sha256))]).toEqual([true, false]);
  expect(removed).toEqual([other.sha256]);
});

it('keeps the note of a file that couldn’t be removed again', async () => {
  const context = await open();
  const file = await stage(context);
  const flush = vi.spyOn(fileHandles(), 'sync');
  const fails = context.blobs.store('job', POLICY, file, async () => {
    flush.mockRejectedValueOnce(eio()); // of the folder, after the removal
    throw new Error('no room for the row');
  });
  await expect(fails).rejects.toThrow('no room for the row');
  expect(notesIn(context)).toEqual([expect.stringContaining(file.sha256)]);
});

it('stores a blob at once whose removal began with a flush that has failed', async () => {
  const context = await open();
  const sha256 = await unusedBlob(context);
  vi.spyOn(fileHandles(), 'datasync').mockRejectedValueOnce(eio());
  await expect(context.blobs.sweep()).rejects.toThrow('1 unused blobs');
  const again = { ...(await stage(context)), sha256 };
  await context.blobs.store('job', POLICY, again, async () => undefined);
});

it('stores no blob that an object store may still remove, though nobody else uses the database', async () => {
  const context = await open();
  const sha256 = await unusedBlob(context);
  const driver = await context.blobs.driverOf(POLICY);
  Object.assign(driver, { isRemote: true });
  const timeout = new StorageFault('timeout', 'UND_ERR_HEADERS_TIMEOUT');
  vi.spyOn(driver, 'remove').mockRejectedValueOnce(timeout);
  await expect(context.blobs.sweep()).rejects.toBe(timeout);
  const again = { ...(await stage(context)), sha256 };
  await expect(context.blobs.store('job', POLICY, again, async () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  vi.useFakeTimers({ now: Date.now() + 3_600_001, toFake: ['Date'] });
  expect(await context.blobs.sweep()).toBe(1000);
  vi.useRealTimers();
});

it('stores a blob at once whose removal the object store has refused', async () => {
  const context = await open();
  const sha256 = await unusedBlob(context);
  const driver = await context.blobs.driverOf(POLICY);
  Object.assign(driver, { isRemote: true });
  vi.spyOn(driver, 'remove').mockRejectedValueOnce(faultOfResponse(503, 'SlowDown'));
  await expect(context.blobs.sweep()).rejects.toThrow('isn’t available');
  const again = { ...(await stage(context)), sha256 };
  await context.blobs.store('job', POLICY, again, async () => undefined);
});

it('resumes at a start what was being removed when the service ended', async () => {
  const context = await open();
  const sha256 = await unusedBlob(context);
  await context.db.as('job').write((queries) => queries.updateTable('blobs').set({ unused_since: -Date.now() }).execute());
  expect(await context.blobs.sweep()).toBe(0);
  await context.blobs.recover();
  expect([await context.blobs.sweep(), existsSync(pathOf(context, sha256))]).toEqual([1000, false]);
});

it('removes nothing during a backup, and lets nobody wait for its end', async () => {
  const context = await open();
  await unusedBlob(context);
  const { promise: sent, resolve: endDownload } = Promise.withResolvers<void>();
  const backup = context.blobs.withoutRemovals(() => sent);
  expect(await context.blobs.sweep()).toBe(0);
  expect(() => context.blobs.requireRemovals()).toThrow('A backup is being made or downloaded.');
  endDownload();
  await backup;
  context.blobs.requireRemovals();
  expect(await context.blobs.sweep()).toBe(1000);
});

it('skips the note of an upload to a policy that is gone', async () => {
  const context = await open();
  mkdirSync(join(context.staging.folder, `99-${'ab'.repeat(32)}.note.intent`));
  await context.blobs.recover();
  expect(await context.db.read.selectFrom('blobs').selectAll().execute()).toEqual([]);
});

it('opens a storage with the settings that it has after a change, even while it is being opened', async () => {
  const context = await open();
  const opening = context.blobs.driverOf(POLICY);
  await context.db.as('job').write((queries) =>
    queries
      .updateTable('policies')
      .set({ config: JSON.stringify({ folder: '/elsewhere' }) })
      .execute(),
  );
  context.blobs.reopen();
  await opening;
  expect((await context.blobs.driverOf(POLICY)).location).toBe('/elsewhere');
});
