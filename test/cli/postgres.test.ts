import { hash } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { chooseRestore, createBackup } from '#api/admin/backup.ts';
import { changeGroup } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { looksOf, setLooks } from '#test/helpers/service/data/looks.ts';
import { PostgresServer } from '#test/helpers/service/data/postgres-server.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn, newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';
import { runCli } from './run-cli.ts';

const postgres = await PostgresServer.create();
afterAll(() => postgres.remove());
const store = await startObjectStore(afterAll);
/** On PostgreSQL, with its pictures in a bucket. */
const { service, owner } = await startFileService({ databaseUrl: await postgres.addDatabase('here') });
const { id } = await owner.client.call(createPolicy, { body: { name: 'Bucket', driver: 's3', config: store.access } });
await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id] } });
const looks = await setLooks(owner);
const image = await uploadImage(service, await owner.token('full'), await photoJpeg());

const run = (databaseUrl: string, args: string[], stdin = '', env: Record<string, string> = {}) =>
  runCli(temporaryFolder(), args, { stdin, env: { PIXDOCK_DATABASE_URL: databaseUrl, ...env } });

it('restores a backup by way of a server on SQLite', async () => {
  const { name } = await owner.client.call(createBackup, {});
  await expect(owner.client.call(chooseRestore, { body: { name } })).rejects.toThrow('pixdock migrate --to');

  await using between = await startTestService({ databaseUrl: undefined });
  await mkdir(join(between.dataDir, 'backups'));
  await copyFile(join(service.dataDir, 'backups', name), join(between.dataDir, 'backups', name));
  const admin = await setUp(between);
  await admin.client.call(chooseRestore, { body: { name } });
  await between.restart();
  await between.stop();
  const { endpoint, bucket, access_key_id, secret_access_key } = store.access;
  const databaseUrl = await postgres.addDatabase('restored');
  const migrated = await runCli(
    temporaryFolder(),
    ['migrate', '--data-dir', between.dataDir, '--to', databaseUrl, '--storage', `s3://${bucket}/restored?endpoint=${endpoint}`],
    { env: { AWS_ACCESS_KEY_ID: access_key_id, AWS_SECRET_ACCESS_KEY: secret_access_key } },
  );
  expect(migrated.code, migrated.stderr).toBe(0);

  const secrets = join(between.dataDir, 'secrets.json');
  await using restored = await startTestService({ databaseUrl, dataDir: temporaryFolder(), secrets });
  const served = await contentOf(fetch(`${restored.url}/i/${image.key}.${image.ext}`));
  expect(hash('sha256', served)).toBe(image.sha256);
  expect(await looksOf(await newSession(restored, OWNER.username, OWNER.password))).toEqual(looks);
});

it('resets a password and verifies the pictures in the database of PIXDOCK_DATABASE_URL', async () => {
  const { dataDir, config } = service;
  const databaseUrl = config.databaseUrl as string;
  const reset = await run(databaseUrl, ['reset-password', OWNER.username, '--data-dir', dataDir], 'a recovered password\n');
  expect([reset.code, reset.stderr]).toEqual([0, expect.stringContaining(`Password changed for ${OWNER.username}.`)]);
  expect((await logIn(service, OWNER.username, 'a recovered password')).status).toBe(200);
  expect((await owner.fetch('/api/v1/user')).status).toBe(401);

  const elsewhere = temporaryFolder();
  const running = await run(databaseUrl, ['verify', '--data-dir', elsewhere]);
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('Pixdock is running with this database.')]);
  await service.stop();
  const sound = await run(databaseUrl, ['verify', '--no-color', '--data-dir', dataDir]);
  expect([sound.code, sound.stdout, sound.stderr]).toEqual([0, '', expect.stringMatching(/Checked 1 picture \(.*\): no problems\.\n$/)]);

  const unreachable = 'postgres://pixdock:hidden@127.0.0.1:9/pixdock';
  for (const args of [['verify'], ['reset-password', OWNER.username]]) {
    const { code, stderr } = await run(unreachable, [...args, '--data-dir', dataDir], 'a recovered password\n');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Can’t use the database 127.0.0.1:9/pixdock')]);
    expect(stderr).not.toContain('hidden');
  }
});
