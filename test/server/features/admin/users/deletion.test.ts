import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as auditApi from '#api/admin/audit.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { getStats } from '#api/admin/stats.ts';
import * as api from '#api/admin/users.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { listTrash, restoreTrash } from '#api/images/trash.ts';
import { createWebhook } from '#api/webhooks.ts';
import type { Job } from '#server/platform/jobs/scheduler.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type AddedUser, addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

const remove = (id: number, to_user_id?: number, by: SignedIn = owner) =>
  by.client.call(api.deleteUser, { params: { id: String(id) }, query: to_user_id === undefined ? {} : { to_user_id } });
const get = (id: number) => owner.client.call(api.getUser, { params: { id: String(id) } });
const isGone = (id: number) => expect.poll(() => get(id).catch(({ code }) => code), { timeout: 20_000, interval: 200 }).toBe('not_found');
const isTrashed = (id: number) =>
  expect.poll(async () => (await get(id)).deletion?.images_left, { timeout: 20_000, interval: 200 }).toBe(0);
const statusOf = async (address: string) => (await fetch(address, { redirect: 'manual' })).status;
const pathOf = (address: string) => new URL(address).pathname;
let seed = 900;
const upload = async (user: AddedUser, fields: Record<string, string> = {}) =>
  uploadImage(service, await user.token('full'), await photoJpeg({ seed: seed++ }), fields);

describe('deleting a user', () => {
  it('ends all access at once, frees name and address, and moves albums and pictures with their links to another account', async () => {
    const [bob, eve] = [await addUser(service, 'bob'), await addUser(service, 'eve')];
    const token = await bob.token('full');
    const album = await bob.client.call(createAlbum, { body: { name: 'Trip', visibility: 'public' } });
    const image = await upload(bob, { album_id: album.id });
    await withDatabase(service, (db) =>
      db.as('job').write(async (queries) => {
        const of = { user_id: bob.id, created_at: 1 };
        await queries
          .insertInto('identities')
          .values({ ...of, issuer: 'https://sso.example', subject: 'b' })
          .execute();
        const passkey = { credential_id: 'b', public_key: 'b', counter: 0, transports: '[]', host: 'localhost', name: 'Phone' };
        await queries
          .insertInto('passkeys')
          .values({ ...of, ...passkey })
          .execute();
      }),
    );

    expect(await remove(bob.id, eve.id)).toMatchObject({
      username: 'bob',
      email: null,
      disabled: true,
      deletion: { to: { id: eve.id, username: 'eve' }, image_count: 1 },
    });
    expect((await bob.fetch('/api/v1/user')).status).toBe(401);
    expect((await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    expect((await logIn(service, 'bob', USER_PASSWORD)).status).toBe(401);
    expect((await logIn(service, 'bob@example.org', USER_PASSWORD)).status).toBe(401);
    for (const table of ['identities', 'passkeys'] as const)
      expect(await withDatabase(service, (db) => db.read.selectFrom(table).selectAll().execute()), table).toEqual([]);

    await isGone(bob.id);
    expect((await eve.client.call(listImages, { query: {} })).items.map(({ key, album_id }) => [key, album_id])).toEqual([
      [image.key, album.id],
    ]);
    expect(await statusOf(image.links.url)).toBe(200);
    expect(await statusOf(`${service.url}/api/v1/a/${album.id}`)).toBe(200);
    expect(await statusOf(`${service.url}/api/v1${pathOf(image.links.delete_url ?? '')}`)).toBe(404);
    const again = await addUser(service, 'bob');
    expect((await again.client.call(listImages, { query: {} })).items).toEqual([]);
  });

  it('moves pictures to the trash, from where an admin can still move them to another account', async () => {
    const [carl, dora] = [await addUser(service, 'carl'), await addUser(service, 'dora')];
    const album = await carl.client.call(createAlbum, { body: { name: 'Home', visibility: 'public' } });
    const image = await upload(carl, { album_id: album.id });
    const link = `${service.url}/api/v1${pathOf(image.links.delete_url ?? '')}`;
    expect(await statusOf(link)).toBe(200);
    const users = async () => (await owner.client.call(getStats, { query: { days: 1 } })).totals.users;
    const before = await users();
    await remove(carl.id);
    expect(await users()).toBe(before - 1);
    expect(await statusOf(link)).toBe(404);
    expect(await statusOf(`${service.url}/api/v1/a/${album.id}`)).toBe(404);
    await isTrashed(carl.id);
    expect(await get(carl.id)).toMatchObject({ image_count: 0, trash_count: 1, deletion: { to: null, image_count: 1 } });
    expect(await statusOf(image.links.url)).toBe(404);
    // Found under the old name, which is free again.
    const found = await owner.client.call(api.listUsers, { query: { q: 'carl' } });
    expect(found.items.map(({ id }) => id)).toEqual([carl.id]);

    for (const change of [{ disabled: false }, { email: 'carl@example.org' }])
      await expect(owner.client.call(api.changeUser, { params: { id: String(carl.id) }, body: change })).rejects.toMatchObject({
        code: 'conflict',
      });
    const password = { password: 'quite another one' };
    await expect(owner.client.call(api.resetUserPassword, { params: { id: String(carl.id) }, body: password })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(remove(carl.id)).rejects.toMatchObject({ code: 'conflict', details: { problem: 'account_deleting' } });

    await owner.client.call(api.transferUser, { params: { id: String(carl.id) }, body: { to_user_id: dora.id } });
    await isGone(carl.id);
    expect((await dora.client.call(listTrash, { query: {} })).items.map(({ key }) => key)).toEqual([image.key]);
    await dora.client.call(restoreTrash, { body: { keys: [image.key] } });
    expect(await statusOf(image.links.url)).toBe(200);
  });

  it('is refused for the owner, for one’s own account, and without a usable target', async () => {
    const [hal, ina] = [await addUser(service, 'hal', 'admin'), await addUser(service, 'ina')];
    const ada = (await owner.client.call(api.listUsers, { query: { q: OWNER.username } })).items[0]?.id ?? 0;
    await expect(remove(ada, undefined, hal)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(remove(ada)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(remove(hal.id, undefined, hal)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(remove(99_999)).rejects.toMatchObject({ code: 'not_found' });
    for (const to of [ina.id, 99_999]) await expect(remove(ina.id, to)).rejects.toMatchObject({ details: { field: 'to_user_id' } });
  });

  it('is refused for the recipient of an account that is being deleted, and with such an account as the recipient', async () => {
    let jobs: Job[] = [];
    const keep = (all: Job[]) => {
      jobs = all;
      return [];
    };
    await using still = await startTestService({}, { chooseJobs: keep });
    const boss = await setUp(still);
    const [hal, ina, jon] = [await addUser(still, 'hal'), await addUser(still, 'ina'), await addUser(still, 'jon')];
    await uploadImage(still, await ina.token('full'), await photoJpeg({ seed: seed++ }));
    await withDatabase(still, (db) =>
      db
        .as('job')
        .write((queries) =>
          queries.insertInto('account_deletions').values({ user_id: ina.id, heir_id: hal.id, images: 0, started_at: 1 }).execute(),
        ),
    );
    await expect(remove(jon.id, ina.id, boss)).rejects.toMatchObject({ details: { field: 'to_user_id' } });
    await expect(remove(hal.id, undefined, boss)).rejects.toMatchObject({ details: { problem: 'heir_of_deletion', subject: 'hal' } });
    await jobs.find(({ name }) => name === 'delete accounts')?.run(new AbortController().signal);
    await expect(boss.client.call(api.getUser, { params: { id: String(ina.id) } })).rejects.toMatchObject({ code: 'not_found' });
    await remove(hal.id, undefined, boss);
  });

  it('is open to admins’ sessions only', async () => {
    const [kim, lea] = [await addUser(service, 'kim'), await addUser(service, 'lea')];
    const path = `/api/v1/admin/users/${lea.id}`;
    const tokens = [await owner.token('full'), await owner.token('upload')];
    expect((await kim.fetch(path, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(service.url + path, { method: 'DELETE' })).status).toBe(401);
    for (const token of tokens)
      expect((await fetch(service.url + path, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
    expect(await get(lea.id)).toMatchObject({ deletion: null, disabled: false });
  });
});

it('keeps a readable name in the audit log and in webhooks', async () => {
  const received: { type: string; data: { owner_id?: number; id?: number; username?: string } }[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(JSON.parse(body));
    response.end();
  }).listen(0, '127.0.0.1');
  await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await owner.client.call(createWebhook, { body: { name: 'log', url, events: ['image.deleted', 'user.deleted'] } });
  const mia = await addUser(service, 'mia');
  const image = await upload(mia);
  await remove(mia.id);
  const dataOf = (type: string) =>
    received.find((event) => event.type === type && [event.data.id, event.data.owner_id].includes(mia.id))?.data;
  await expect.poll(() => dataOf('image.deleted'), { timeout: 20_000 }).toMatchObject({ key: image.key });
  await expect.poll(() => dataOf('user.deleted'), { timeout: 20_000 }).toEqual({ id: mia.id, username: 'mia' });
  receiver.close();
  const { items } = await owner.client.call(auditApi.listAudit, { query: { action: 'user.deleted', limit: 1 } });
  expect(items).toMatchObject([{ actor: { username: 'ada' }, target: 'mia', details: { images: 1 } }]);
});
