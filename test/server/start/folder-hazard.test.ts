import { expect, it, vi } from 'vitest';
import { checkStart } from '#server/boot/start-check.ts';
import type { FolderHazard } from '#server/platform/files/folder-hazard.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { startTestService } from '#test/helpers/service/service.ts';

const found = vi.hoisted(() => ({ hazard: undefined as FolderHazard | undefined }));
vi.mock('#server/platform/files/folder-hazard.ts', () => ({ hazardOf: async () => found.hazard }));

it.skipIf(onPostgres)('refuses to keep its database on a network share', async () => {
  found.hazard = 'network';
  await expect(startTestService()).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/is on a network share/),
  });
});

it('accepts a network share when it checks a backup', async () => {
  found.hazard = undefined;
  const folder = temporaryFolder();
  await using service = await startTestService({ dataDir: folder });
  await service.stop();
  found.hazard = 'network';
  await checkStart(folder);
});

it('starts in a synchronised folder', async () => {
  found.hazard = 'synchronised';
  await using service = await startTestService();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});
