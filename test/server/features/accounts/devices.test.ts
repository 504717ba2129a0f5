import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { changeUser, endUserAccess, resetUserPassword } from '#api/admin/users.ts';
import { decideDeviceRequest, findDeviceRequest, giveUpToken, pollDevice, requestDevice } from '#api/auth/devices.ts';
import { listTokens } from '#api/auth/tokens.ts';
import { changePassword, endAccess, endOtherSessions, endSession, getLimits, listSessions } from '#api/auth/user.ts';
import { type ApiError, createClient } from '#api/client.ts';
import { listImages } from '#api/images/images.ts';
import { MAX_PENDING_PER_NETWORK, MAX_PENDING_PER_SITE } from '#server/features/accounts/devices/requests.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { type AddedUser, addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { type SignedIn, setUp, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

let service: TestService;
let owner: SignedIn;
let bea: AddedUser;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  service = await startTestService();
  owner = await setUp(service);
  bea = await addUser(service, 'bea');
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  vi.useRealTimers();
});

const guest = () => createClient({ baseUrl: service.url });
const ask = (name = 'Desk computer', scope: 'upload' | 'full' = 'upload') => guest().call(requestDevice, { body: { name, scope } });
const pass = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000);
const decide = (who: SignedIn, user_code: string, decision: 'approve' | 'deny') =>
  who.client.call(decideDeviceRequest, { body: { user_code, decision } });

async function poll(device_code: string, after = 3) {
  pass(after);
  return guest().call(pollDevice, { body: { device_code } });
}

async function approved(who: SignedIn, name?: string): Promise<string> {
  const { device_code, user_code } = await ask(name);
  await decide(who, user_code, 'approve');
  const response = await poll(device_code);
  if (response.state !== 'approved') throw new Error(response.state);
  return response.token;
}

describe('a device that asks for a token', () => {
  it('can be approved after a restart of the service', async () => {
    const { device_code, user_code } = await ask();
    await service.restart();
    await decide(bea, user_code, 'approve');
    await service.restart();
    expect(await poll(device_code)).toMatchObject({ state: 'approved', username: 'bea' });
    expect(await poll(device_code)).toEqual({ state: 'expired' });
  });

  it('gets one of the approving user, once, that can upload and nothing else', async () => {
    const { device_code, user_code, verify_url, interval, expires_in } = await ask();
    expect(user_code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(verify_url).toBe(`${service.linkAddress}/connect#code=${user_code}`);
    expect([interval, expires_in]).toEqual([3, 600]);
    expect(await poll(device_code)).toEqual({ state: 'pending' });

    const found = await bea.client.call(findDeviceRequest, { body: { user_code: user_code.toLowerCase().replace('-', ' ') } });
    expect(found).toMatchObject({ name: 'Desk computer', user_code, address: '127.0.0.1' });
    await decide(bea, user_code, 'approve');
    expect((await bea.client.call(listTokens, { query: {} })).items).toEqual([]);

    const response = await poll(device_code);
    if (response.state !== 'approved') throw new Error(response.state);
    expect(response.username).toBe('bea');
    expect((await uploadImage(service, response.token, tinyPng(1))).key).toMatch(/^\w{12}$/);
    const headers = { authorization: `Bearer ${response.token}` };
    expect((await rawRequest(`${service.url}/api/v1/images`, { headers })).status).toBe(403);
    expect((await bea.client.call(listTokens, { query: {} })).items).toMatchObject([{ name: 'Desk computer', scope: 'upload' }]);
    expect((await owner.client.call(listTokens, { query: {} })).items).toEqual([]);
    expect(await poll(device_code)).toEqual({ state: 'expired' });
  });

  it('gets one with full access if it asks for that, which says so to the user and in the audit log', async () => {
    const { device_code, user_code } = await ask('Terminal', 'full');
    expect(await bea.client.call(findDeviceRequest, { body: { user_code } })).toMatchObject({ name: 'Terminal', scope: 'full' });
    await decide(bea, user_code, 'approve');
    const response = await poll(device_code);
    if (response.state !== 'approved') throw new Error(response.state);
    expect(response).toMatchObject({ username: 'bea', scope: 'full' });
    const client = createClient({ baseUrl: service.url, token: response.token });
    const { key } = await uploadImage(service, response.token, tinyPng(2));
    expect((await client.call(listImages, { query: {} })).items).toMatchObject([{ key }]);
    await expect(client.call(listTokens, { query: {} })).rejects.toMatchObject({ code: 'forbidden' });
    expect((await bea.client.call(listTokens, { query: {} })).items).toMatchObject([{ name: 'Terminal', scope: 'full' }]);
    const { items } = await owner.client.call(listAudit, { query: {} });
    expect(items[0]).toMatchObject({ action: 'device.approved', details: { scope: 'full' } });
  });

  it('gets an upload-only one unless it asks, and can’t ask for one that reads metrics', async () => {
    const request = (body: object) => rawRequest(`${service.url}/api/v1/device/requests`, { method: 'POST', body });
    const { data } = await request({ name: 'Old app' });
    expect(await bea.client.call(findDeviceRequest, { body: { user_code: String(data.user_code) } })).toMatchObject({ scope: 'upload' });
    expect(await request({ name: 'Spy', scope: 'metrics' })).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('is marked when it asks from another network than the user', async () => {
    await using proxied = await startTestService({ trustProxy: ['127.0.0.1'] });
    const { cookie } = await setUp(proxied);
    const post = (path: string, from: string, body: object) =>
      rawRequest(`${proxied.url}/api/v1/device/${path}`, { method: 'POST', headers: { cookie, 'x-forwarded-for': from }, body });
    const isSame = async (device: string, user: string) => {
      const { user_code } = (await post('requests', device, { name: 'Laptop', scope: 'full' })).data;
      return (await post('find', user, { user_code })).data.same_network;
    };
    expect(await isSame('198.51.100.7', '198.51.100.7')).toBe(true);
    expect(await isSame('192.168.1.20', '10.0.0.3')).toBe(true);
    expect(await isSame('198.51.100.7', '203.0.113.9')).toBe(false);
    expect(await isSame('192.168.1.20', '203.0.113.9')).toBe(false);
    expect(await isSame('2001:db8:1::1', '2001:db8:1::2')).toBe(true);
    expect(await isSame('2001:db8:1::1', '2001:db8:2::1')).toBe(false);
  });

  it('learns that it was denied, and gets no token', async () => {
    const { device_code, user_code } = await ask();
    await decide(owner, user_code, 'deny');
    expect(await poll(device_code)).toEqual({ state: 'denied' });
    expect(await poll(device_code)).toEqual({ state: 'expired' });
    expect((await owner.client.call(listTokens, { query: {} })).items).toEqual([]);
  });

  it('expires after ten minutes, for the device and for the user', async () => {
    const { device_code, user_code } = await ask();
    pass(599);
    await owner.client.call(findDeviceRequest, { body: { user_code } });
    pass(2);
    await expect(decide(owner, user_code, 'approve')).rejects.toMatchObject({ code: 'not_found' });
    expect(await poll(device_code)).toEqual({ state: 'expired' });
  });

  it('must wait longer each time it polls too early', async () => {
    const { device_code, user_code } = await ask();
    expect(await poll(device_code, 1)).toEqual({ state: 'slow_down' });
    await decide(owner, user_code, 'approve');
    expect(await poll(device_code, 5)).toEqual({ state: 'slow_down' });
    expect((await poll(device_code, 13)).state).toBe('approved');
  });

  it.each(['upload', 'full'] as const)('gets nothing (%s) when the account was disabled after the approval', async (scope) => {
    const { device_code, user_code } = await ask('Desk computer', scope);
    await decide(bea, user_code, 'approve');
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('users').set({ disabled_at: Date.now() }).where('id', '=', bea.id).execute()),
    );
    expect(await poll(device_code)).toEqual({ state: 'expired' });
  });

  it('can be decided only once', async () => {
    const { user_code } = await ask();
    await decide(owner, user_code, 'deny');
    await expect(decide(bea, user_code, 'approve')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('may not hide its name behind invisible characters', async () => {
    const { user_code } = await ask('desk\u202epohs\u001b[31m\nred');
    expect((await bea.client.call(findDeviceRequest, { body: { user_code } })).name).toBe('deskpohs red');
    for (const name of ['   ', '\u202e\u200b', '\u001b[31m'])
      await expect(ask(name)).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'name' } });
  });
});

describe('a device that a stolen session has approved', () => {
  const NEW_PASSWORD = 'correct horse battery staple';
  const body = { current_password: USER_PASSWORD, new_password: NEW_PASSWORD };

  it.each<[string, () => Promise<unknown>]>([
    ['the user ends all access', () => bea.client.call(endAccess, {})],
    ['the user changes the password', () => bea.client.call(changePassword, { body: { ...body, revoke_tokens: true } })],
    ['the user changes the password and keeps the tokens', () => bea.client.call(changePassword, { body })],
    ['the user ends all other sessions', () => bea.client.call(endOtherSessions, {})],
    ['the user ends that session', endNewestSession],
    ['an admin ends all access', () => owner.client.call(endUserAccess, { params: { id: bea.id } })],
    [
      'an admin resets the password',
      () => owner.client.call(resetUserPassword, { params: { id: bea.id }, body: { password: NEW_PASSWORD, revoke_tokens: false } }),
    ],
    ['an admin disables the account for a moment', () => setDisabled(true).then(() => setDisabled(false))],
  ])('gets no token once %s', async (_, revoke) => {
    const stolen = await newSession(service, 'bea', USER_PASSWORD);
    const [ofThief, ofOther] = [await ask('Laptop', 'full'), await ask()];
    await decide(stolen, ofThief.user_code, 'approve');
    await decide(owner, ofOther.user_code, 'approve');
    await revoke();
    expect(await poll(ofThief.device_code)).toEqual({ state: 'expired' });
    expect((await poll(ofOther.device_code)).state).toBe('approved');
  });

  async function endNewestSession() {
    const { items } = await bea.client.call(listSessions, { query: {} });
    await bea.client.call(endSession, { params: { id: items.find(({ current }) => !current)?.id ?? '' } });
  }

  const setDisabled = (disabled: boolean) => owner.client.call(changeUser, { params: { id: bea.id }, body: { disabled } });
});

describe('limits', () => {
  it('let a limited number of devices of one network wait, until a request expires', async () => {
    for (let index = 0; index < MAX_PENDING_PER_NETWORK; index++) await ask();
    const refused: ApiError = await ask().catch((error) => error);
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.retryAfter).toBeLessThanOrEqual(600);
    pass(refused.retryAfter ?? 0);
    expect((await ask()).user_code).toBeTruthy();
  });

  it('let a limited number of devices of one /48 block wait, whatever its networks, and don’t affect other blocks', async () => {
    await using proxied = await startTestService({ trustProxy: ['127.0.0.1'] });
    const askFrom = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await rawRequest(`${proxied.url}/api/v1/device/requests`, { method: 'POST', headers, body: { name: 'Laptop' } })).status;
    };
    const fill = async (site: string, networks: number) => {
      const statuses: number[] = [];
      for (let index = 0; index < networks * MAX_PENDING_PER_NETWORK; index++)
        statuses.push(await askFrom(`${site}:${index % networks}::${index}`));
      return statuses.filter((status) => status === 200).length;
    };
    expect(await fill('2001:db8:1', 20)).toBe(MAX_PENDING_PER_SITE);
    expect(await askFrom('2001:db8:1:ffff::1')).toBe(429);
    expect([await askFrom('2001:db8:2::1'), await askFrom('192.0.2.1'), await askFrom('192.0.2.2')]).toEqual([200, 200, 200]);
  });

  it('stop a user who tries codes, but not others', async () => {
    const { user_code } = await ask();
    const attempts = Array.from({ length: 30 }, () =>
      bea.client.call(findDeviceRequest, { body: { user_code: 'AAAA-AAAA' } }).catch((error: ApiError) => error.code),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'not_found')).toHaveLength(20);
    await expect(bea.client.call(findDeviceRequest, { body: { user_code } })).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await owner.client.call(findDeviceRequest, { body: { user_code } })).user_code).toBe(user_code);
  });
});

describe('the decision', () => {
  it('needs a session: not a guest, not a token, not another site', async () => {
    const { device_code, user_code } = await ask();
    const url = `${service.url}/api/v1/device/decision`;
    const body = { user_code, decision: 'approve' };
    expect((await rawRequest(url, { method: 'POST', body })).status).toBe(401);
    for (const scope of ['upload', 'full'] as const) {
      const headers = { authorization: `Bearer ${await bea.token(scope)}` };
      expect((await rawRequest(url, { method: 'POST', headers, body })).code).toBe('forbidden');
    }
    const foreign = { cookie: bea.cookie, origin: 'https://evil.example' };
    expect((await rawRequest(url, { method: 'POST', headers: foreign, body })).code).toBe('cross_site');
    expect(await poll(device_code)).toEqual({ state: 'pending' });
  });

  it('is in the audit log, with the device and its address but without codes', async () => {
    const { device_code, user_code } = await ask('Print server');
    await decide(bea, user_code, 'approve');
    await decide(owner, (await ask('Laptop')).user_code, 'deny');
    const { items } = await owner.client.call(listAudit, { query: {} });
    expect(items).toMatchObject([
      { action: 'device.denied', target: 'Laptop', actor: { username: 'ada' } },
      { action: 'device.approved', target: 'Print server', actor: { username: 'bea' }, details: { address: '127.0.0.1' } },
      {},
    ]);
    expect(JSON.stringify(items)).not.toContain(user_code);
    expect(JSON.stringify(items)).not.toContain(device_code);
  });
});

describe('a token', () => {
  it('can revoke itself, and only itself', async () => {
    const [leaving, staying] = [await approved(bea, 'leaving'), await approved(bea, 'staying')];
    await createClient({ baseUrl: service.url, token: leaving }).call(giveUpToken, {});
    await expect(createClient({ baseUrl: service.url, token: leaving }).call(getLimits, {})).rejects.toMatchObject({ status: 401 });
    await createClient({ baseUrl: service.url, token: staying }).call(getLimits, {});
    expect((await bea.client.call(listTokens, { query: {} })).items.map(({ name }) => name)).toEqual(['staying']);
    await expect(bea.client.call(giveUpToken, {})).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
