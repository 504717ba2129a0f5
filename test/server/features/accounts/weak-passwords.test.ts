import { expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { resetPassword } from '#server/features/accounts/reset-password.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER, startTestService } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const linus = await addUser(service, 'linus');

const send = (method: string, path: string, cookie: string, body: unknown) =>
  rawRequest(`${service.url}/api/v1${path}`, { method, headers: { cookie }, body });
const WEAK = ['aaaaaaaaaa', '1234567890', 'password123', 'qwertyuiop', 'Linus12345'];
const refusal = (field: string) => ({ status: 400, code: 'invalid_request', data: { field, problem: 'weak_password' } });

it('setup refuses a password that is easily guessed, with an explanation, and creates no account', async () => {
  await using fresh = await startTestService();
  const { setupCode: setup_code } = fresh;
  const setup = (password: string) => rawRequest(`${fresh.url}/api/v1/setup`, { method: 'POST', body: { ...OWNER, password, setup_code } });
  const refused = await setup('aaaaaaaaaa');
  expect(refused).toMatchObject(refusal('password'));
  expect(refused.body).toMatch(/too easy to guess.*unrelated words/);
  expect(await setup('ada@example.org')).toMatchObject(refusal('password'));
  expect(await setup(OWNER.password)).toMatchObject({ status: 200 });
});

it.each(WEAK)('%s is refused wherever an account gets a new password', async (password) => {
  await owner.client.call(changeAdminSettings, { body: { registration_mode: 'open' } });
  const account = { username: `linus-${password}`, email: `${password}@example.net`, password };
  expect(await send('POST', '/auth/register', '', account)).toMatchObject(refusal('password'));
  expect(await send('POST', '/admin/users', owner.cookie, { ...account, role: 'user' })).toMatchObject(refusal('password'));
  expect(await send('POST', `/admin/users/${linus.id}/reset-password`, owner.cookie, { password })).toMatchObject(refusal('password'));
  const change = { current_password: USER_PASSWORD, new_password: password };
  expect(await send('PUT', '/user/password', linus.cookie, change)).toMatchObject(refusal('new_password'));
  expect((await logIn(service, 'linus', USER_PASSWORD)).status).toBe(200);
});

it('only the first 64 characters are rated, since long passwords would keep the service busy', async () => {
  await owner.client.call(changeAdminSettings, { body: { registration_mode: 'open' } });
  const register = (username: string, password: string) =>
    send('POST', '/auth/register', '', { username, email: `${username}@example.net`, password });
  expect(await register('anna', 'a'.repeat(64) + OWNER.password)).toMatchObject(refusal('password'));
  expect(await register('anna', OWNER.password + 'a'.repeat(1000))).toMatchObject({ status: 200 });
});

it('the command refuses it with the same sentence', async () => {
  const refused = await resetPassword(service.config, 'linus', async () => 'aaaaaaaaaa').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toMatch(/too easy to guess/);
});

it('an existing weak password continues to work', async () => {
  const password_hash = await hashPassword('aaaaaaaaaa');
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.updateTable('users').set({ password_hash }).where('id', '=', linus.id).execute()),
  );
  expect((await logIn(service, 'linus', 'aaaaaaaaaa')).status).toBe(200);
});
