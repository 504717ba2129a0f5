import { existsSync, readdirSync } from 'node:fs';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chooseRestore, createBackup } from '#api/admin/backup.ts';
import { changeGroup } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { beginState, newState } from '#server/features/migrate/state.ts';
import { COPIED_TABLES, countRows } from '#server/platform/db/copy-tables.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { createLease } from '#server/platform/jobs/lease.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { writeFormerDatabase } from '#test/helpers/service/data/former-database.ts';
import { looksOf } from '#test/helpers/service/data/looks.ts';
import { digests, runMigration, startLibrary } from '#test/helpers/service/data/migrating.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

/** Stops a migration at one of its reports of progress. */
function stopAt(report: number): [AbortSignal, () => void] {
  const stop = new AbortController();
  let reports = 0;
  return [stop.signal, () => void (++reports === report && stop.abort(new Error('stopped')))];
}

it.runIf(process.env.PIXDOCK_TEST_SLOW)('copies to another folder with all files and secrets, wherever it was interrupted', async () => {
  const { service, looks } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const before = await digests({ dataDir });
  for (const table of [
    'album_images',
    'album_members',
    'request_links',
    'request_batches',
    'request_files',
    'sendings',
    'sending_images',
    'sending_recipients',
    'album_received',
  ])
    expect(before[table]).not.toMatch(/^(0|undefined) /);
  const to = { dataDir: temporaryFolder() };
  let interruptions = 0;
  for (let report = 1; ; report += 7) {
    const [signal, onProgress] = stopAt(report);
    const result = await runMigration({ dataDir }, to, 'unchanged', signal, onProgress).catch((error: Error) => error);
    if (!(result instanceof Error)) {
      expect(result).toMatchObject({ images: 4, lost: 0 });
      break;
    }
    expect(result.message).toBe('stopped');
    await expect(openDatabase(join(to.dataDir, 'pixdock.db'))).rejects.toThrow('This database is incomplete');
    interruptions++;
  }
  expect(interruptions).toBeGreaterThan(5);
  expect(await digests(to)).toEqual(before);
  expect(await digests({ dataDir })).toEqual(before);
  const secrets = (folder: string) => readFile(join(folder, 'secrets.json'), 'utf8');
  expect(JSON.parse(await secrets(to.dataDir))).toEqual(JSON.parse(await secrets(dataDir)));
  await using moved = await startTestService({ ...to, databaseUrl: undefined });
  expect(await looksOf(await newSession(moved, OWNER.username, OWNER.password))).toEqual(looks);
});

it('copies the pictures of all policies inside the data folder, which can then be removed', async () => {
  await using service = await startTestService({ databaseUrl: undefined });
  const { dataDir } = service;
  const owner = await setUp(service);
  const folder = temporaryFolder();
  const { id } = await owner.client.call(createPolicy, { body: { name: 'Second', driver: 'local', folder } });
  await owner.client.call(createPolicy, { body: { name: 'Unused', driver: 'local', folder: temporaryFolder() } });
  await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id] } });
  const { key } = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await service.stop();
  // As after restoring a backup.
  const restored = (id: number) => join(dataDir, 'policies', String(id));
  await cp(folder, restored(id), { recursive: true });
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      for (const policy of [id, id + 1])
        await queries
          .updateTable('policies')
          .set({ config: JSON.stringify({ folder: restored(policy) }) })
          .where('id', '=', policy)
          .execute();
    }),
  );
  const to = { dataDir: temporaryFolder() };
  expect(await runMigration({ dataDir }, to)).toMatchObject({ images: 1, files: 1, lost: 0 });
  await Promise.all([rm(dataDir, { recursive: true }), rm(folder, { recursive: true })]);
  await using moved = await startTestService({ ...to, databaseUrl: undefined });
  expect((await fetch(`${moved.url}/i/${key}.jpg`)).status).toBe(200);
  expect(existsSync(join(to.dataDir, 'policies', String(id + 1)))).toBe(true);
});

it('queues all pictures for the search index of the target', async () => {
  const { service, images } = await startLibrary();
  await using _ = service;
  const to = { dataDir: temporaryFolder() };
  await runMigration({ dataDir: service.dataDir }, to);
  const db = await openDatabase(join(to.dataDir, 'pixdock.db'));
  const queued = await db.read.selectFrom('image_search_queue').select('image_id').execute();
  // And the picture that was sent.
  expect(queued).toHaveLength(images.length + 1);
  await db.close();
});

it('refuses a target with accounts or other files, missing secrets, and a schema that isn’t up to date', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const to = { dataDir: temporaryFolder() };
  await runMigration({ dataDir }, to);
  await expect(runMigration({ dataDir }, to)).rejects.toThrow('already contains accounts or pictures');

  await rm(join(to.dataDir, 'pixdock.db'));
  writeFormerDatabase(join(to.dataDir, 'pixdock.db'));
  await expect(runMigration(to, { dataDir: temporaryFolder() })).rejects.toThrow('from an older version of Pixdock');
  await expect(runMigration({ dataDir }, to)).rejects.toThrow('data from another version of Pixdock');

  const taken = temporaryFolder();
  await writeFile(join(taken, 'notes.txt'), 'mine');
  await expect(runMigration({ dataDir }, { dataDir: taken })).rejects.toThrow('contains other files');

  await rm(join(dataDir, 'secrets.json'));
  await expect(runMigration({ dataDir }, { dataDir: temporaryFolder() })).rejects.toThrow('has no secrets.json');
});

it('refuses a data folder with a restore that the next start would complete', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  await service.restart();
  const owner = await newSession(service, OWNER.username, OWNER.password);
  const { name } = await owner.client.call(createBackup, {});
  await owner.client.call(chooseRestore, { body: { name } });
  await service.stop();
  const to = { dataDir: temporaryFolder() };
  await expect(runMigration({ dataDir }, to)).rejects.toThrow('A restore isn’t complete yet.');
  expect(readdirSync(to.dataDir)).toEqual([]);
});

it('empties the target only if it is still unused, and keeps the lease on it', async () => {
  const target = (await openDatabase(join(temporaryFolder(), 'pixdock.db'))).as('start');
  const state = newState('here');
  const lease = createLease(target, 'jobs', undefined, state.id);
  await lease.renew();
  await beginState(target, state);
  const holders = await target.read.selectFrom('leases').select(['name', 'holder']).orderBy('name').execute();
  expect(holders).toEqual([
    { name: 'jobs', holder: state.id },
    { name: 'migration', holder: JSON.stringify(state) },
  ]);
  await target.close();

  const { service } = await startLibrary();
  await using _ = service;
  await withDatabase(service, async (db) => {
    await expect(beginState(db.as('job'), state)).rejects.toThrow('already contains accounts or pictures');
    expect(await countRows(db.read, 'images')).toBe(4);
  });
});

it('notices rows that change meanwhile', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const source = await openDatabase(join(dataDir, 'pixdock.db'));
  const to = { dataDir: temporaryFolder() };
  const [signal, onProgress] = stopAt(70);
  await expect(runMigration({ dataDir }, to, 'unchanged', signal, onProgress)).rejects.toThrow('stopped');
  await source.as('job').write((queries) => queries.updateTable('images').set({ name: 'changed' }).execute());
  await source.close();
  await expect(runMigration({ dataDir }, to)).rejects.toThrow('differs from its source');
});

it('puts pictures from a bucket into a folder of their own, since two policies can’t share the data folder', async () => {
  const store = await startObjectStore();
  await using service = await startTestService({ databaseUrl: undefined });
  const owner = await setUp(service);
  const { id } = await owner.client.call(createPolicy, { body: { name: 'Bucket', driver: 's3', config: store.access } });
  await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id] } });
  const { sha256 } = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await service.stop();
  const from = { dataDir: service.dataDir };
  await expect(runMigration(from, { dataDir: temporaryFolder() }, 'data-folder')).rejects.toThrow(
    'Several storage policies would use the data folder',
  );
  const linked = join(temporaryFolder(), 'data');
  await symlink(temporaryFolder(), linked, 'junction');
  for (const [to, folder] of [
    [linked, join(linked, 'pictures')],
    [temporaryFolder(), join(service.dataDir, 'pictures')],
  ] as const)
    await expect(runMigration(from, { dataDir: to }, { folder })).rejects.toThrow('one that Pixdock already uses');
  const folder = join(temporaryFolder(), 'pictures');
  const local = { dataDir: temporaryFolder() };
  expect(await runMigration(from, local, { folder })).toMatchObject({ images: 1, lost: 0, steps: ['rows', 'files', 'check'] });
  const stored = `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  expect(existsSync(join(folder, String(id), stored))).toBe(true);
  const { policies: _, ...others } = await digests(from);
  expect(await digests(local)).toMatchObject(others);
  const to = { dataDir: temporaryFolder() };
  expect(await runMigration(from, to)).toMatchObject({ images: 1, files: 0 });
  expect(await digests(to)).toEqual(await digests(from));
});

it('moves local pictures to a bucket, claims its place there again after an interruption, and reports a damaged file', async () => {
  const store = await startObjectStore();
  const { service, images } = await startLibrary();
  await using _ = service;
  const from = { dataDir: service.dataDir };
  const [damaged] = images as [Uploaded];
  const name = `${damaged.sha256.slice(0, 2)}/${damaged.sha256.slice(2, 4)}/${damaged.sha256}`;
  await writeFile(join(service.dataDir, 'blobs', name), 'something else');
  const to = { dataDir: temporaryFolder() };
  const bucket = { ...store.access, prefix: 'moved' };
  const [signal, onProgress] = stopAt(1);
  await expect(runMigration(from, to, bucket, signal, onProgress)).rejects.toThrow('stopped');
  expect(store.requests).toContain('PUT /pictures/moved/1/.pixdock');
  store.requests.length = 0;

  const { lost, sentences, steps } = await runMigration(from, to, bucket);
  expect({ lost, steps }).toEqual({ lost: 1, steps: ['rows', 'files', 'check'] });
  expect(sentences).toEqual([expect.stringContaining(`${name}, the file for “0.jpg” (${damaged.key}), is damaged.`)]);
  expect(store.requests).not.toContain('PUT /pictures/moved/1/.pixdock');
  expect(store.requests).not.toContain(`PUT /pictures/moved/1/${name}`);
  await using moved = await startTestService({ ...to, databaseUrl: undefined });
  const { key } = images.at(-1) as Uploaded;
  expect((await fetch(`${moved.url}/i/${key}.jpg`)).status).toBe(200);
  expect(store.requests.at(-1)).toMatch(/^GET \/pictures\/moved\/1\//);
});

it('ignores what a check of the bucket has left behind, and resumes with another access key', async () => {
  const store = await startObjectStore();
  const { service } = await startLibrary();
  await using _ = service;
  const from = { dataDir: service.dataDir };
  const to = { dataDir: temporaryFolder() };
  await fetch(`${store.access.endpoint}/pictures/pixdock/1/pixdock-test-1`, { method: 'PUT', body: 'left behind' });
  const [signal, onProgress] = stopAt(3 * COPIED_TABLES.length + 1);
  await expect(runMigration(from, to, store.access, signal, onProgress)).rejects.toThrow('stopped');
  const target = await openDatabase(join(to.dataDir, 'pixdock.db'), 'target');
  const { config } = await target.read.selectFrom('policies').select('config').executeTakeFirstOrThrow();
  const revoked = JSON.stringify({ ...JSON.parse(config), access_key_id: 'REVOKED' });
  await target.as('job').write((queries) => queries.updateTable('policies').set({ config: revoked }).execute());
  expect(await runMigration(from, to, store.access)).toMatchObject({ images: 4, lost: 0 });
  const after = await target.read.selectFrom('policies').select('config').executeTakeFirstOrThrow();
  expect(JSON.parse(after.config).access_key_id).toBe('S3RVER');
  await target.close();
});

it('starts over when nothing was copied and the options change', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const from = { dataDir: service.dataDir };
  const to = { dataDir: temporaryFolder() };
  const [signal, onProgress] = stopAt(1);
  await expect(runMigration(from, to, 'data-folder', signal, onProgress)).rejects.toThrow('stopped');
  expect(await runMigration(from, to, 'unchanged')).toMatchObject({ images: 4 });
});
