import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cancelRestore, chooseRestore, createBackup, getBackups, restartToRestore } from '#api/admin/backup.ts';
import { getSession } from '#api/auth/auth.ts';
import { listImages } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

it('restarts a headless service to restore, with the same process and address, and stops cleanly afterwards', async () => {
  const service = await startChildService(temporaryFolder());
  onTestFinished(() => service.kill());
  const owner = await setUp(service);
  const token = await owner.token('upload');
  const kept = await uploadImage(service, token, await photoJpeg({ seed: 1 }));
  const { name } = await owner.client.call(createBackup, {});
  await uploadImage(service, token, await photoJpeg({ seed: 2 }));
  await owner.client.call(chooseRestore, { body: { name } });
  await owner.client.call(restartToRestore, {});
  // Unreachable for a moment; afterwards all sessions have ended.
  await vi.waitFor(async () => expect(await owner.client.call(getSession, {})).toEqual({ user: null }), { timeout: 20_000, interval: 100 });
  const again = await newSession(service, OWNER.username, OWNER.password);
  expect((await again.client.call(listImages, { query: {} })).items.map(({ key }) => key)).toEqual([kept.key]);
  expect((await fetch(kept.links.url)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

it('starts again with the former data when a restored backup spoils its start, and prints why', async () => {
  const dataDir = temporaryFolder();
  const service = await startChildService(dataDir);
  onTestFinished(() => service.kill());
  const owner = await setUp(service);
  const { name } = await owner.client.call(createBackup, {});
  const later = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 3 }));
  await owner.client.call(chooseRestore, { body: { name } });
  const { folder } = JSON.parse(readFileSync(join(dataDir, 'restore', 'ready.json'), 'utf8'));
  writeFileSync(join(dataDir, 'restore', folder, 'secrets.json'), 'spoilt after it was verified');
  await owner.client.call(restartToRestore, {});
  // Unreachable for a moment; the session is still valid afterwards.
  const failure = await vi.waitFor(
    async () => {
      const { restore_failure } = await owner.client.call(getBackups, {});
      expect(restore_failure).not.toBeNull();
      return restore_failure;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(failure?.reason).toMatch(/^…\/secrets\.json is damaged/);
  expect((await fetch(later.links.url)).status).toBe(200);
  expect(await service.stop()).toBe(0);
  expect(service.printed()).toMatch(/^Pixdock couldn’t start from the backup made at .*secrets\.json is damaged/m);
});

it('refuses a restart without a pending restore, and where nothing would start the service again', async () => {
  await using service = await startTestService({}, {});
  const owner = await setUp(service);
  await expect(owner.client.call(restartToRestore, {})).rejects.toMatchObject({ code: 'not_found' });
  const { name } = await owner.client.call(createBackup, {});
  await owner.client.call(chooseRestore, { body: { name } });
  await expect(owner.client.call(restartToRestore, {})).rejects.toMatchObject({ code: 'unavailable' });
  await owner.client.call(cancelRestore, {});
});
