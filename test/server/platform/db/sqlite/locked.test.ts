import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { writeSettings } from '#server/core/settings/settings.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { setUp, startTestService } from '#test/helpers/service/service.ts';

/** Another process's transaction. */
function lock(path: string) {
  const connection = new Sqlite(path);
  connection.exec('begin immediate');
  onTestFinished(() => void connection.close());
  return { end: () => void connection.exec('rollback') };
}

async function open() {
  const path = join(temporaryFolder(), 'pixdock.db');
  const db = await openDatabase(path);
  onTestFinished(() => db.close());
  let begun = 0;
  const write = (name: string) =>
    db.as('job').write((queries) => {
      begun++;
      return writeSettings(queries, { site_name: name });
    });
  const read = async () => (await db.read.selectFrom('settings').select('value').execute()).map(({ value }) => value);
  await write('before');
  return { db, path, write, read, begun: () => begun };
}

it('reads while another process is writing, and writes in order once it has finished', async () => {
  const { db, path, write, read, begun } = await open();
  const other = lock(path);
  const writing = Promise.all(['first', 'second'].map(write));
  await expect.poll(db.queued).toBe(2);
  expect(await read()).toEqual(['"before"']);
  expect(begun()).toBe(1);
  other.end();
  await writing;
  expect(begun()).toBe(3);
  expect(await read()).toEqual(['"second"']);
});

it('rejects each unit after it has waited for five seconds, and works again afterwards', async () => {
  const { path, write, read } = await open();
  const other = lock(path);
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const at = (milliseconds: number) => now.mockReturnValue(milliseconds);
  const fault = (writing: Promise<unknown>) =>
    writing.then(
      () => 'written',
      (error) => databaseFault(error),
    );
  at(1_000_000);
  const early = fault(write('early'));
  while (now.mock.calls.length < 2) await new Promise(setImmediate); // it has tried to begin
  at(1_004_000);
  const late = fault(write('late'));
  at(1_005_100);
  expect(await early).toBe('busy');
  other.end();
  expect(await late).toBe('written');
  expect(await read()).toEqual(['"late"']);
});

it('responds to health checks and to readers meanwhile, and refuses changes with 503 and Retry-After', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const other = lock(join(service.dataDir, 'pixdock.db'));
  let refused: Response | undefined;
  const create = owner
    .fetch('/api/v1/albums', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Holidays' }),
    })
    .then((response) => (refused = response));
  for (const path of ['/healthz', '/api/v1/albums']) expect((await owner.fetch(path)).status).toBe(200);
  expect(refused).toBeUndefined();
  await create;
  expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '2']);
  other.end();
});
