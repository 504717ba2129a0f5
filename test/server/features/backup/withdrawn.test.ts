import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { chooseRestore, createBackup, getBackups, setBackupSchedule } from '#api/admin/backup.ts';
import { decideDeviceRequest, pollDevice, requestDevice } from '#api/auth/devices.ts';
import { createInvite, listInvites } from '#api/auth/invites.ts';
import { createPhoneCode, decidePhone, pollPhone, requestPhone } from '#api/auth/phones.ts';
import { listTokens, revokeToken } from '#api/auth/tokens.ts';
import { createClient } from '#api/client.ts';
import { listRequests } from '#api/sharing/requests.ts';
import { deleteBySecret } from '#api/sharing/shares.ts';
import { createWebhook, listWebhookDeliveries, listWebhooks } from '#api/webhooks.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { askForPictures } from '#test/helpers/service/requests.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';

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
