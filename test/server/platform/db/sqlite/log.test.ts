import { copyFileSync, readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

let folder: string;
let db: Database;
let files: FileHandle;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase(join(folder, 'pixdock.db'));
  const file = await open(join(folder, 'file'), 'w');
  files = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await db.close();
  });
});

const write = (name: string) => db.as('job').write((queries) => writeSettings(queries, { site_name: name }));
const namesIn = async () => (await db.read.selectFrom('settings').select('value').execute()).map(({ value }) => value);

/** What is in the database file without its log, as if the log had never reached the disk. */
function withoutLog(): unknown[] {
  const copy = join(temporaryFolder(), 'copy.db');
  copyFileSync(join(folder, 'pixdock.db'), copy);
  const connection = new Sqlite(copy, { readonly: true });
  const names = connection.prepare('select value from settings').pluck().all();
  connection.close();
  return names;
}

it('is flushed in another thread before a unit resolves; others read meanwhile', async () => {
  await write('first');
  const { promise: flushed, resolve: endFlush } = Promise.withResolvers<void>();
  const flush = vi.spyOn(files, 'datasync').mockReturnValue(flushed);
  const resolved = vi.fn();
  const writing = write('second').then(resolved);
  await expect.poll(namesIn).toEqual(['"second"']);
  expect(flush).toHaveBeenCalledTimes(1);
  expect(resolved).not.toHaveBeenCalled();
  endFlush();
  await writing;
});

it('is replaced after a failed flush, which may have lost some of it', async () => {
  await write('before');
  const flush = vi.spyOn(files, 'datasync').mockRejectedValueOnce(Object.assign(new Error('i/o error'), { code: 'EIO' }));
  await expect(write('failed')).rejects.toThrow('i/o error');
  await write('after');
  expect(withoutLog()).toEqual(['"after"']);
  expect(flush).toHaveBeenCalledTimes(1);
  await write('last');
  expect(flush).toHaveBeenCalledTimes(2);
  expect(withoutLog()).toEqual(['"after"']);
});

it('is gone once the database is closed', async () => {
  await write('name');
  await db.close();
  expect(readdirSync(folder).filter((name) => name.startsWith('pixdock.db'))).toEqual(['pixdock.db']);
});
