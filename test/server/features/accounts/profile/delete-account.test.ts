import { expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { listUsers } from '#api/admin/users.ts';
import { deleteAccount } from '#api/auth/user.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER, type SignedIn, uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

const leave = (user: SignedIn, current_password?: string) =>
  user.client.call(deleteAccount, { body: { ...(current_password && { current_password }) } });
const isSignedIn = async (user: SignedIn) => (await user.fetch('/api/v1/user')).status === 200;

it('deletes the caller’s account with the password: access and links end, and the pictures go to the trash', async () => {
  const bob = await addUser(service, 'bob');
  const image = await uploadImage(service, await bob.token('upload'), await photoJpeg({ seed: 70 }));
  await expect(leave(bob)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'current_password' } });
  await expect(leave(bob, 'not the password')).rejects.toMatchObject({ code: 'wrong_password' });
  expect(await isSignedIn(bob)).toBe(true);
  await leave(bob, USER_PASSWORD);
  expect(await isSignedIn(bob)).toBe(false);
  await expect.poll(async () => (await fetch(image.links.url)).status, { timeout: 20_000 }).toBe(404);
  const { items } = await owner.client.call(listUsers, { query: { q: 'bob' } });
  expect(items).toMatchObject([{ id: bob.id, trash_count: 1, deletion: { to: null } }]);
  const log = await owner.client.call(listAudit, { query: { action: 'user.deleted' } });
  expect(log.items).toMatchObject([{ actor: { username: 'bob' }, target: 'bob' }]);
});

it('requires a recent sign-in where there is no password', async () => {
  const eve = await addUser(service, 'eve');
  const signedInAgo = (minutes: number) =>
    withDatabase(service, (db) =>
      db.as('job').write(async (queries) => {
        await queries.updateTable('users').set({ password_hash: null }).where('id', '=', eve.id).execute();
        const created_at = Date.now() - minutes * 60_000;
        await queries.updateTable('sessions').set({ created_at }).where('user_id', '=', eve.id).execute();
      }),
    );
  await signedInAgo(11);
  await expect(leave(eve)).rejects.toMatchObject({ status: 403, code: 'sign_in_again' });
  expect(await isSignedIn(eve)).toBe(true);
  await signedInAgo(9);
  await leave(eve);
  expect(await isSignedIn(eve)).toBe(false);
});

it('is refused for the owner, who is the last administrator, and for tokens and guests', async () => {
  await expect(leave(owner, OWNER.password)).rejects.toMatchObject({ code: 'forbidden' });
  const kim = await addUser(service, 'kim', 'admin');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ current_password: USER_PASSWORD });
  for (const scope of ['full', 'upload'] as const) {
    const authorization = `Bearer ${await kim.token(scope)}`;
    const response = await fetch(`${service.url}/api/v1/user`, { method: 'DELETE', headers: { ...headers, authorization }, body });
    expect(response.status).toBe(403);
  }
  expect((await fetch(`${service.url}/api/v1/user`, { method: 'DELETE', headers, body })).status).toBe(401);
  expect([await isSignedIn(owner), await isSignedIn(kim)]).toEqual([true, true]);
  await leave(kim, USER_PASSWORD);
});

it('refuses an upload that was under way when its account was deleted, and keeps nothing of it', async () => {
  const lea = await addUser(service, 'lea');
  const token = await lea.token('upload');
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`;
  const bytes = await photoJpeg({ seed: 71 });
  const rest = Promise.withResolvers<void>();
  const underWay = Promise.withResolvers<void>();
  const form = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(head));
      controller.enqueue(bytes.subarray(0, 100));
    },
    async pull(controller) {
      underWay.resolve();
      await rest.promise;
      controller.enqueue(bytes.subarray(100));
      controller.enqueue(new TextEncoder().encode('\r\n--b--\r\n'));
      controller.close();
    },
  });
  const sent = fetch(`${service.url}/api/v1/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: form,
    duplex: 'half',
  } as RequestInit);
  await underWay.promise;
  // The service has found the uploader once it has noted the token's use.
  const used = () =>
    withDatabase(service, (db) => db.read.selectFrom('tokens').select('last_used_at').where('user_id', '=', lea.id).execute());
  await expect.poll(async () => (await used())[0]?.last_used_at).not.toBeNull();
  await leave(lea, USER_PASSWORD);
  rest.resolve();
  expect((await sent).status).toBe(401);
  expect(await withDatabase(service, (db) => db.read.selectFrom('images').selectAll().where('owner_id', '=', lea.id).execute())).toEqual(
    [],
  );
});
