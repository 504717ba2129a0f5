import { describe, expect, it } from 'vitest';
import { changePassword, changeProfile, getProfile } from '#api/auth/user.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER, signedIn, startTestService } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

const rowOf = (id: number) =>
  withDatabase(service, (db) => db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

describe('the profile', () => {
  it('describes the user, without the password’s hash', async () => {
    const text = await (await owner.fetch('/api/v1/user')).text();
    expect(JSON.parse(text).data).toMatchObject({
      username: OWNER.username,
      email: OWNER.email,
      role: 'admin',
      is_owner: true,
      has_password: true,
      group: 'Owner',
      preferences: {
        visibility: 'public',
        album_id: null,
        policy_id: null,
        link_format: 'url',
        link_template: '{name}: {url}',
        delete_expired: false,
        keep_copyright: false,
      },
    });
    expect(text).not.toMatch(/argon2|password_hash/);
  });

  it('changes the user name, which then works for signing in', async () => {
    const bea = await addUser(service, 'bea');
    expect(await bea.client.call(changeProfile, { body: { username: 'Beatrice' } })).toMatchObject({ username: 'Beatrice' });
    expect((await logIn(service, 'beatrice', USER_PASSWORD)).status).toBe(200);
    expect((await logIn(service, 'bea', USER_PASSWORD)).status).toBe(401);
    await expect(bea.client.call(changeProfile, { body: { username: OWNER.username.toUpperCase() } })).rejects.toMatchObject({
      code: 'conflict',
      details: { field: 'username' },
    });
    // The user's own name in another spelling isn't taken.
    expect(await bea.client.call(changeProfile, { body: { username: 'BEATRICE' } })).toMatchObject({ username: 'BEATRICE' });
  });

  it('changes the e-mail address with the password, and marks it unverified', async () => {
    const cleo = await addUser(service, 'cleo');
    const change = (body: object) => cleo.client.call(changeProfile, { body });
    await expect(change({ email: 'new@example.org' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'current_password' },
    });
    await expect(change({ email: 'new@example.org', current_password: 'wrong' })).rejects.toMatchObject({
      status: 401,
      code: 'wrong_password',
    });
    await expect(change({ email: OWNER.email, current_password: USER_PASSWORD })).rejects.toMatchObject({ details: { field: 'email' } });
    expect(await rowOf(cleo.id)).toMatchObject({ email: 'cleo@example.org', email_source: 'admin' });
    expect(await change({ email: 'New@example.org', current_password: USER_PASSWORD })).toMatchObject({ email: 'New@example.org' });
    expect(await rowOf(cleo.id)).toMatchObject({ email_key: 'new@example.org', email_source: 'user' });
    expect((await logIn(service, 'new@example.org', USER_PASSWORD)).status).toBe(200);
  });

  it('keeps an unchanged address verified', async () => {
    const dora = await addUser(service, 'dora');
    await dora.client.call(changeProfile, { body: { username: 'dora2', email: 'DORA@example.org' } });
    expect(await rowOf(dora.id)).toMatchObject({ username: 'dora2', email_source: 'admin' });
  });

  it('lets a full token change the name, not the address', async () => {
    const emma = await addUser(service, 'emma');
    const headers = { authorization: `Bearer ${await emma.token('full')}` };
    const change = (body: object) => rawRequest(`${service.url}/api/v1/user`, { method: 'PATCH', headers, body });
    expect((await change({ username: 'emma2' })).status).toBe(200);
    expect((await change({ email: 'x@example.org', current_password: USER_PASSWORD })).code).toBe('forbidden');
    expect((await rowOf(emma.id)).email).toBe('emma@example.org');
  });

  it('cannot grant itself rights', async () => {
    const fay = await addUser(service, 'fay');
    await fay.fetch('/api/v1/user', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'admin', is_owner: true, group_id: 1, email_source: 'admin' }),
    });
    expect(await fay.client.call(getProfile, {})).toMatchObject({ role: 'user', is_owner: false, group: 'Users' });
  });
});

describe('the password', () => {
  it('changes with the current one and ends all other sessions, but keeps tokens', async () => {
    const gil = await addUser(service, 'gil');
    const token = await gil.token('full');
    const elsewhere = signedIn(service, (await logIn(service, 'gil', USER_PASSWORD)).setCookies[0]?.split(';')[0] ?? '');
    await gil.client.call(changePassword, { body: { current_password: USER_PASSWORD, new_password: 'a brand new password' } });
    expect((await elsewhere.fetch('/api/v1/user')).status).toBe(401);
    expect((await gil.fetch('/api/v1/user')).status).toBe(200);
    expect((await rawRequest(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await owner.fetch('/api/v1/user')).status).toBe(200);
    expect((await logIn(service, 'gil', USER_PASSWORD)).status).toBe(401);
    expect((await logIn(service, 'gil', 'a brand new password')).status).toBe(200);
  });

  it('does not change with a wrong or missing one, or to a weak one', async () => {
    const hal = await addUser(service, 'hal');
    const change = (body: { current_password?: string; new_password: string }) => hal.client.call(changePassword, { body });
    await expect(change({ current_password: 'wrong', new_password: 'a brand new password' })).rejects.toMatchObject({
      code: 'wrong_password',
    });
    await expect(change({ new_password: 'a brand new password' })).rejects.toMatchObject({ details: { field: 'current_password' } });
    await expect(change({ current_password: USER_PASSWORD, new_password: 'short' })).rejects.toMatchObject({
      details: { field: 'new_password' },
    });
    expect((await logIn(service, 'hal', USER_PASSWORD)).status).toBe(200);
  });

  it('cannot be guessed with a stolen session', async () => {
    const ida = await addUser(service, 'ida');
    const guess = (number: number) =>
      ida.client.call(changePassword, { body: { current_password: `wrong ${number}`, new_password: 'a brand new password' } });
    const codes = await Promise.all(Array.from({ length: 14 }, (_, number) => guess(number).catch(({ code }) => code as string)));
    expect(codes.filter((code) => code === 'wrong_password')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(4);
    // The session counts on its own, so that its thief doesn't lock the user out.
    expect((await logIn(service, 'ida', USER_PASSWORD)).status).toBe(200);
  });

  it('can be set for the first time without a current one', async () => {
    await using desktop = await startTestService();
    const { name, value } = await desktop.openOwnerSession('ada');
    const person = signedIn(desktop, `${name}=${value}`);
    expect(await person.client.call(getProfile, {})).toMatchObject({ has_password: false });
    for (const password of ['x', 'null', '']) {
      expect((await logIn(desktop, 'ada', password || 'undefined')).status).toBe(401);
    }
    await person.client.call(changePassword, { body: { new_password: 'a first password' } });
    expect(await person.client.call(getProfile, {})).toMatchObject({ has_password: true });
    expect((await logIn(desktop, 'ada', 'a first password')).status).toBe(200);
    await expect(person.client.call(changePassword, { body: { new_password: 'another password' } })).rejects.toMatchObject({
      details: { field: 'current_password' },
    });
  });
});
