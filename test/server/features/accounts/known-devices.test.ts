import { afterEach, expect, it, vi } from 'vitest';
import { changePassword } from '#api/auth/user.ts';
import type { RawResponse } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';

const DAY_MS = 86_400_000;

const { service } = await startFileService({ trustProxy: ['127.0.0.1'] });
afterEach(() => vi.useRealTimers());

let network = 0;
/** An address of its own network. */
const newAddress = () => `198.51.${100 + Math.floor(++network / 200)}.${(network % 200) + 1}`;

const attempt = (login: string, password: string, { address = newAddress(), device = '' } = {}) =>
  logIn(service, login, password, { 'x-forwarded-for': address, ...(device && { cookie: `pixdock_device=${device}` }) });
const deviceIn = ({ setCookies }: RawResponse) =>
  setCookies.map((cookie) => /^pixdock_device=([^;]*)/.exec(cookie)?.[1]).find((value) => value !== undefined) ?? '';
const newDevice = async (login: string, device = '') => deviceIn(await attempt(login, USER_PASSWORD, { device }));

async function fail(login: string, times: number, options: { address?: string; device?: string } = {}): Promise<number[]> {
  const statuses = [];
  for (let count = 0; count < times; count++) statuses.push((await attempt(login, 'wrong', options)).status);
  return statuses;
}

/** A hundred failures from ten addresses, which lock the account for strangers. */
async function lockOut(login: string) {
  await Promise.all(Array.from({ length: 10 }, () => fail(login, 10, { address: newAddress() })));
  expect((await attempt(login, USER_PASSWORD)).status).toBe(429);
}

it('a device that has signed in before isn’t locked out by strangers, wherever it is', async () => {
  const bea = await addUser(service, 'bea');
  const device = await newDevice('bea');
  await lockOut('bea');
  const response = await attempt('bea', USER_PASSWORD, { device });
  expect(response.status).toBe(200);
  // Its next sign-in renews the cookie, not its name.
  expect(deviceIn(response).split('.')[1]).toBe(device.split('.')[1]);
  // Nor by those who share its address.
  const address = newAddress();
  await fail('bea', 10, { address });
  for (let other = 0; other < 30; other++) await attempt(`unknown-${other}`, 'wrong', { address });
  expect((await attempt('bea', USER_PASSWORD, { address })).status).toBe(429);
  expect((await attempt('bea', USER_PASSWORD, { address, device })).status).toBe(200);
  // A session of the account is such a device: its user can change the password during the attack.
  await bea.client.call(changePassword, { body: { current_password: USER_PASSWORD, new_password: 'another password, unguessed' } });
});

it('has a limit of its own, which locks no one else out', async () => {
  await addUser(service, 'cleo');
  const [stolen, other] = [await newDevice('cleo'), await newDevice('cleo')];
  const guesses = await Promise.all(Array.from({ length: 30 }, () => attempt('cleo', 'wrong', { device: stolen })));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20);
  expect((await attempt('cleo', USER_PASSWORD, { device: stolen })).status).toBe(429);
  expect((await attempt('cleo', USER_PASSWORD, { device: other })).status).toBe(200);
  expect((await attempt('cleo', USER_PASSWORD)).status).toBe(200);
});

it('is a stranger once the password has changed, unless it changed it', async () => {
  const vera = await addUser(service, 'vera');
  const collected = await newDevice('vera');
  const new_password = 'another password, unguessed';
  const changed = await vera.fetch('/api/v1/user/password', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ current_password: USER_PASSWORD, new_password }),
  });
  const own = /pixdock_device=([^;]*)/.exec(changed.headers.getSetCookie().join())?.[1] ?? '';
  await Promise.all(Array.from({ length: 10 }, () => fail('vera', 10, { address: newAddress() })));
  expect((await attempt('vera', new_password, { device: collected })).status).toBe(429);
  expect((await attempt('vera', new_password, { device: own })).status).toBe(200);
});

it('gains nothing for other accounts, nor when it is forged', async () => {
  const dora = await addUser(service, 'dora');
  await addUser(service, 'mallory');
  const [own, foreign] = [await newDevice('dora'), await newDevice('mallory')];
  await lockOut('dora');
  const [, id = '', at = '', signature = ''] = foreign.split('.');
  for (const device of [
    foreign,
    `${dora.id}.${id}.${at}.${signature}`,
    own.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    own.replace(/\.\w+\./, '.anotherdevice000.'),
    own.replace(/\.\d+\./, `.${Date.now() + DAY_MS}.`),
    `${dora.id}.${id}.${at}.`,
    '~~~',
    'x'.repeat(4000),
  ])
    expect([device.slice(0, 80), (await attempt('dora', USER_PASSWORD, { device })).status]).toEqual([device.slice(0, 80), 429]);
  expect((await attempt('dora', USER_PASSWORD, { device: `${foreign}~${own}` })).status).toBe(200);
});

it('remembers the last five accounts for 400 days, in a cookie that only the API gets', async () => {
  const names = ['emil', 'fred', 'gina', 'hugo', 'iris', 'jane'];
  for (const name of names) await addUser(service, name);
  let device = '';
  for (const name of names) device = await newDevice(name, device);
  const response = await attempt('jane', USER_PASSWORD, { device });
  expect(response.setCookies[1]).toMatch(/^pixdock_device=[\w.~-]+; Path=\/api\/v1; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  const expires = Date.parse(/Expires=([^;]+)/.exec(response.setCookies[1] ?? '')?.[1] ?? '');
  expect(Math.abs(expires - Date.now() - 400 * DAY_MS)).toBeLessThan(60_000);
  await lockOut('emil');
  await lockOut('fred');
  expect((await attempt('emil', USER_PASSWORD, { device })).status).toBe(429);
  expect((await attempt('fred', USER_PASSWORD, { device })).status).toBe(200);
});

it('is a stranger again after that time', async () => {
  await addUser(service, 'kate');
  const device = await newDevice('kate');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 401 * DAY_MS });
  await lockOut('kate');
  expect((await attempt('kate', USER_PASSWORD, { device })).status).toBe(429);
});

it('is not remembered for a failed sign-in', async () => {
  await addUser(service, 'lena');
  expect((await attempt('lena', 'wrong')).setCookies).toEqual([]);
});
