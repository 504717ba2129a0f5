import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '#api/client.ts';
import { batchImages } from '#api/images/changes.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const HOUR = 3_600_000;

async function openService() {
  const opened = await openTestContext();
  onTestFinished(opened.close);
  const { db } = opened.context;
  const owner = await createOwner(db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await createToken(db.as('job'), owner.id, { name: 'test', scope: 'full', expiresIn: 0 });
  const session = await db.as('job').write((queries) => openSession(queries, owner.id, { address: '', userAgent: '' }));
  let seed = 1200;
  return {
    ...opened,
    cookie: `${SESSION_COOKIE}=${session.secret}`,
    upload: async () => uploadImage(opened, secret, await photoJpeg({ width: 60, height: 40, seed: seed++ })),
    purge: (key: string) =>
      createClient({ baseUrl: opened.url, token: secret }).call(batchImages, { body: { action: 'purge', keys: [key] } }),
  };
}

it('backs up when due, and not before', async () => {
  const { context } = await openService();
  const folder = temporaryFolder();
  const { backups, settings } = context;
  expect(await backups.runScheduleIfDue(Date.now())).toBe(false);
  await settings.change('note', { backup_schedule: { folder, every_hours: 24, keep: 3 } });
  expect(await backups.runScheduleIfDue(Date.now())).toBe(true);
  expect(await backups.runScheduleIfDue(Date.now() + 23 * HOUR)).toBe(false);
  expect(readdirSync(join(folder, 'snapshots'))).toHaveLength(1);
  rmSync(join(folder, 'snapshots'), { recursive: true });
  expect(await backups.runScheduleIfDue(Date.now())).toBe(true);
});

it('removes old snapshots and the blobs that only they contain', async () => {
  const { context, upload, purge } = await openService();
  const folder = temporaryFolder();
  const { backups, blobs, settings } = context;
  await settings.change('note', { backup_schedule: { folder, every_hours: 1, keep: 1 } });
  const blobOf = ({ sha256 }: { sha256: string }) => join(folder, 'blobs', '1', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const [gone, stays] = [await upload(), await upload()];
  const first = await backups.runSchedule();
  await purge(gone.key);
  await blobs.sweep();
  // Snapshots are named by the second; this older one saves waiting for the next second.
  mkdirSync(join(folder, 'snapshots', '20200101-000000'));
  expect([existsSync(blobOf(gone)), existsSync(blobOf(stays))]).toEqual([true, true]);
  rmSync(join(folder, 'snapshots', first.snapshot), { recursive: true });
  const second = await backups.runSchedule();
  expect(second).toMatchObject({ blobs: 1, new_blobs: 0 });
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([second.snapshot]);
  expect([existsSync(blobOf(gone)), existsSync(blobOf(stays))]).toEqual([false, true]);
});

it('reports lost bytes and backs up everything else', async () => {
  const { context, upload } = await openService();
  const [lost, kept] = [await upload(), await upload()];
  rmSync(join(context.config.dataDir, 'blobs', lost.sha256.slice(0, 2)), { recursive: true });
  expect(await context.backups.create()).toMatchObject({ images: 2, blobs: 1, bytes: kept.size, missing: 1 });
});

it('makes one backup at a time, and another one after a client disconnects midway', async () => {
  const { context, url, cookie, upload } = await openService();
  for (let index = 0; index < 5; index++) await upload();
  await new Promise<void>((resolve) => {
    const request = get(`${url}/api/v1/admin/backup/stream`, { headers: { cookie } }, (response) => {
      response.once('data', () => request.destroy());
      response.once('close', resolve);
      response.on('error', () => resolve());
    });
  });
  const made = await context.backups.create();
  expect(made.blobs).toBe(5);
  expect(readdirSync(join(context.config.dataDir, 'backups'))).toEqual([made.name]);
  expect(readdirSync(join(context.config.dataDir, 'tmp'))).toEqual([]);
  expect(await context.blobs.sweep()).toBe(0);
});

it.each([0, 1, 3, 10])('stops with the service after %i turns and leaves nothing half done', async (turns) => {
  const { context, upload } = await openService();
  for (let index = 0; index < 3; index++) await upload();
  const running = context.backups.create().then(
    () => 'made',
    () => 'broken off',
  );
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  context.backups.stop();
  const names = (await running) === 'made' ? [expect.stringMatching(/\.tar$/)] : [];
  expect(readdirSync(context.config.dataDir).includes('backups') ? readdirSync(join(context.config.dataDir, 'backups')) : []).toEqual(
    names,
  );
  await expect(context.backups.create()).rejects.toThrow(/stops|aborted/);
  expect(readdirSync(join(context.config.dataDir, 'tmp'))).toEqual([]);
});
