import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSecrets } from '#server/core/settings/instance-secrets.ts';
import { configFromEnv } from '#server/platform/config/env.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { twoNodes } from '#test/helpers/service/cluster/nodes.ts';
import { setUp, startTestService } from '#test/helpers/service/service.ts';

const stored = (dataDir: string) => readFile(join(dataDir, 'secrets.json'), 'utf8');

it('lets services share a database only with the same secrets', async () => {
  const [here, there] = (await twoNodes()).map((db) => db.as('start')) as [WritableDatabase, WritableDatabase];
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  const secrets = await openSecrets(here, { dataDir: first });
  await expect(openSecrets(there, { dataDir: second })).rejects.toThrow('Set PIXDOCK_SECRETS to the path');
  await expect(stored(second)).rejects.toThrow('ENOENT');

  const content = Buffer.from(await stored(first)).toString('base64');
  const shared = await openSecrets(there, { dataDir: second, secrets: content });
  expect(shared.sign('test', 'text')).toBe(secrets.sign('test', 'text'));
  expect(await stored(second)).toBe(await stored(first));
  const third = await openSecrets(there, { dataDir: temporaryFolder(), secrets: join(first, 'secrets.json') });
  expect(third.sign('test', 'text')).toBe(secrets.sign('test', 'text'));

  const other = temporaryFolder();
  await openSecrets((await twoNodes())[0].as('start'), { dataDir: other });
  await expect(openSecrets(there, { dataDir: other })).rejects.toThrow('Remove its secrets.json');
  await expect(openSecrets(there, { dataDir: other, secrets: content })).rejects.toThrow('PIXDOCK_SECRETS differs from');
});

it('refuses secrets that it can’t read, without repeating them', async () => {
  const [db] = await twoNodes();
  for (const text of ['bm90IHRoZSBjb250ZW50', '/nowhere/secrets.json', '{"master":"hidden"}']) {
    const { secrets } = configFromEnv('.', { PIXDOCK_SECRETS: text });
    expect(secrets).toBe(text);
    const error = await openSecrets(db.as('job'), { dataDir: temporaryFolder(), secrets }).catch((reason: Error) => reason);
    expect((error as Error).message).toBe('PIXDOCK_SECRETS is neither the path of a secrets.json nor its content in base64.');
  }
});

it('lets a data folder with its own database get new secrets', async () => {
  const [shared] = await twoNodes();
  const db = { ...shared.as('start'), isShared: false };
  const dataDir = temporaryFolder();
  const before = await openSecrets(db, { dataDir });
  await rm(join(dataDir, 'secrets.json'));
  const after = await openSecrets(db, { dataDir });
  expect(after.sign('test', 'text')).not.toBe(before.sign('test', 'text'));
  expect((await openSecrets(db, { dataDir })).sign('test', 'text')).toBe(after.sign('test', 'text'));
});

it('lets browsers install the application under the site’s name, with icons that exist', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  await owner.fetch('/api/v1/admin/settings', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site_name: 'Harbour pictures' }),
  });
  const response = await fetch(`${service.url}/manifest.webmanifest`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/manifest+json; charset=utf-8']);
  const manifest = (await response.json()) as { name: string; display: string; icons: { src: string; sizes: string; purpose?: string }[] };
  expect(manifest).toMatchObject({ name: 'Harbour pictures', display: 'standalone', start_url: '/', id: '/' });
  expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ]);
  expect(await (await fetch(`${service.url}/sign-in`, { headers: { accept: 'text/html' } })).text()).toContain(
    '<link rel="manifest" href="/manifest.webmanifest" />',
  );
});
