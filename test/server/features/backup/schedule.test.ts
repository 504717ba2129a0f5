import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { chooseRestore, createBackup, getBackups, setBackupSchedule } from '#api/admin/backup.ts';
import { decideDeviceRequest, pollDevice, requestDevice } from '#api/auth/devices.ts';
import { createInvite, listInvites } from '#api/auth/invites.ts';
import { createPhoneCode, decidePhone, pollPhone, requestPhone } from '#api/auth/phones.ts';
import { listTokens, revokeToken } from '#api/auth/tokens.ts';
import { createClient } from '#api/client.ts';
import { batchImages } from '#api/images/changes.ts';
import { listRequests } from '#api/sharing/requests.ts';
import { deleteBySecret } from '#api/sharing/shares.ts';
import { createWebhook, listWebhookDeliveries, listWebhooks } from '#api/webhooks.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { reasonOf } from '#server/features/backup/reason.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { askForPictures } from '#test/helpers/service/requests.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';

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

const invalid = z.object({ site_name: z.string(), former_hosts: z.array(z.string()) }).safeParse({}).error;

it.each<[unknown, string]>([
  [new Error('It is broken'), 'It is broken.'],
  [new Error('Is it broken?'), 'Is it broken?'],
  [new Error("ENOENT: no such file, open '/srv/data/secrets.json'"), "ENOENT: no such file, open '…/secrets.json'."],
  [new Error('One.\n    at two'), 'One.'],
  [new Error('x'.repeat(500)), `${'x'.repeat(160)}…`],
  [invalid, 'These values aren’t valid: site_name, former_hosts.'],
  ['text', 'text.'],
])('puts %o into a sentence without paths', (error, sentence) => {
  expect(reasonOf(error, '/srv/data')).toBe(sentence);
});

const { service, owner } = await startFileService();

it('restores nothing that was revoked meanwhile, and leaves schedule and webhooks off', async () => {
  const token = await owner.token('full');
  const image = await uploadImage(service, token, await photoJpeg());
  expect(image.links.delete_url).toContain(`/delete/${image.key}/`);
  await owner.client.call(createInvite, { body: { note: 'For Linus' } });
  const hook = { name: 'Chat', url: 'https://chat.example.org/hook' };
  const { id } = await owner.client.call(createWebhook, { body: { ...hook, events: ['image.created'] } });
  const elsewhere = temporaryFolder();
  const schedule = { folder: elsewhere, every_hours: 1, keep: 2 };
  await owner.client.call(setBackupSchedule, { body: { schedule } });
  forge((db) => {
    db.prepare('update images set mime = ?').run('text/html');
    db.prepare('insert into limits values (?, ?, 1000, 2e14)').run('wrong passwords by login', 'forged');
    db.prepare(
      `insert into webhook_deliveries (webhook_id, message_id, type, data, state, next_attempt_at, created_at)
       values (?, 'msg_1', 'image.created', '{}', 'pending', 2e14, 0)`,
    ).run(id);
  });
  const request = await askForPictures(owner);
  expect(request.state).toBe('open');
  const device = await createClient({ baseUrl: service.url }).call(requestDevice, { body: { name: 'Laptop' } });
  await owner.client.call(decideDeviceRequest, { body: { user_code: device.user_code, decision: 'approve' } });
  const { code } = await owner.client.call(createPhoneCode, {});
  const phone = await createClient({ baseUrl: service.url }).call(requestPhone, { body: { code, name: 'iPhone' } });
  if (phone.state !== 'asking') throw new Error(phone.state);
  const { phone_code, check_code } = phone;
  await owner.client.call(decidePhone, { body: { code, check_code, decision: 'approve' } });
  const { name } = await owner.client.call(createBackup, {});
  const [{ id: revoked } = { id: '' }] = (await owner.client.call(listTokens, { query: {} })).items;
  await owner.client.call(revokeToken, { params: { id: revoked } });
  await owner.client.call(chooseRestore, { body: { name } });
  await service.restart();

  expect((await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  const { device_code } = device;
  expect(await createClient({ baseUrl: service.url }).call(pollDevice, { body: { device_code } })).toEqual({ state: 'expired' });
  expect(await createClient({ baseUrl: service.url }).call(pollPhone, { body: { phone_code } })).toEqual({ state: 'expired' });
  const again = await newSession(service, OWNER.username, OWNER.password);
  expect((await again.client.call(listTokens, { query: {} })).items).toEqual([]);
  expect((await again.client.call(listInvites, { query: {} })).items).toEqual([]);
  expect((await again.client.call(getBackups, {})).schedule).toBeNull();
  expect((await again.client.call(listWebhooks, { query: {} })).items).toMatchObject([{ id, ...hook, enabled: false }]);
  expect((await again.client.call(getBackups, {})).restored).toMatchObject({ requests_paused: 1 });
  expect((await again.client.call(listRequests, { params: { id: request.album_id }, query: {} })).items).toMatchObject([
    { state: 'paused' },
  ]);
  const { items } = await again.client.call(listWebhookDeliveries, { params: { id }, query: {} });
  expect(items).toMatchObject([{ state: 'failed', last_error: expect.stringContaining('restored') }]);
  const [key = '', secret = ''] = (image.links.delete_url ?? '').split('/').slice(-2);
  await expect(createClient({ baseUrl: service.url }).call(deleteBySecret, { params: { key, secret } })).rejects.toMatchObject({
    code: 'not_found',
  });
  forge((db) => expect(db.prepare("select * from limits where id = 'forged'").all()).toEqual([]));
  const served = await fetch(`${service.url}/i/${image.key}.${image.ext}`);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

/** Changes the database beside the running service. */
function forge(change: (db: Sqlite.Database) => void) {
  const db = new Sqlite(join(service.dataDir, 'pixdock.db'));
  change(db);
  db.close();
}
