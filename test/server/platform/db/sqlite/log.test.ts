import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { openLog } from '#server/platform/db/sqlite/log.ts';
import { eio, fileHandles } from '#test/helpers/programs/file-handles.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

let folder: string;
let db: Database;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase(join(folder, 'pixdock.db'));
  onTestFinished(() => db.close());
});

const write = (name: string) => db.as('job').write((queries) => writeSettings(queries, { site_name: name }));
const namesIn = async () => (await db.read.selectFrom('settings').select('value').execute()).map(({ value }) => value);

it('is flushed in another thread before a unit resolves; others read meanwhile', async () => {
  await write('first');
  const { promise: flushed, resolve: endFlush } = Promise.withResolvers<void>();
  const flush = vi.spyOn(fileHandles(), 'datasync').mockReturnValueOnce(flushed);
  const resolved = vi.fn();
  const writing = write('second').then(resolved);
  await expect.poll(namesIn).toEqual(['"second"']);
  expect(flush).toHaveBeenCalledTimes(1);
  expect(resolved).not.toHaveBeenCalled();
  endFlush();
  await writing;
});

it('is flushed again after a failure, before anything else is committed', async () => {
  await write('before');
  const { promise: flushed, resolve: endFlush } = Promise.withResolvers<void>();
  const flush = vi.spyOn(fileHandles(), 'datasync').mockRejectedValueOnce(eio()).mockRejectedValueOnce(eio()).mockReturnValueOnce(flushed);
  await expect(write('failed')).rejects.toThrow('i/o error');
  await expect(write('not begun')).rejects.toThrow('i/o error');
  const writing = write('after');
  await expect.poll(() => flush.mock.calls.length).toBe(3);
  expect(await namesIn()).toEqual(['"failed"']);
  endFlush();
  await writing;
  expect([await namesIn(), flush.mock.calls.length]).toEqual([['"after"'], 4]);
});

it('is written again as a whole after a failure, and when it is opened, while no other process writes to it', async () => {
  const path = join(folder, 'log');
  const bytes = Buffer.alloc(2_500_000, 'frames of a log');
  writeFileSync(path, bytes);
  const isWritten = () => {
    const { mtimeMs } = statSync(path);
    utimesSync(path, 0, 0);
    return mtimeMs > 0;
  };
  let isLocked = false;
  const flushFile = vi.fn(async () => undefined);
  const log = await openLog(
    path,
    (work) => {
      isWritten();
      work();
      isLocked = isWritten();
    },
    flushFile,
  );
  await log.flush();
  expect([isLocked, readFileSync(path).equals(bytes)]).toEqual([true, true]);
  isLocked = false;
  await log.flush();
  await log.makeWhole();
  expect([isLocked, isWritten(), flushFile.mock.calls.length]).toEqual([false, false, 2]);
  flushFile.mockRejectedValueOnce(eio());
  await expect(log.flush()).rejects.toThrow('i/o error');
  expect(isLocked).toBe(false);
  await log.makeWhole();
  expect([isLocked, readFileSync(path).equals(bytes), flushFile.mock.calls.length]).toEqual([true, true, 4]);
  flushFile.mockRejectedValueOnce(eio());
  await expect(log.flush()).rejects.toThrow('i/o error');
  await log.close();
  expect(flushFile).toHaveBeenCalledTimes(6);
});

it('is gone once the database is closed', async () => {
  await write('name');
  await db.close();
  expect(readdirSync(folder).filter((name) => name.startsWith('pixdock.db'))).toEqual(['pixdock.db']);
});
