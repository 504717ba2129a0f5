import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { changeUser, endUserAccess, resetUserPassword } from '#api/admin/users.ts';
import { createPhoneCode, decidePhone, findPhone, pollPhone, requestPhone } from '#api/auth/phones.ts';
import { listTokens } from '#api/auth/tokens.ts';
import { changePassword, endAccess, endOtherSessions, getLimits } from '#api/auth/user.ts';
import { type ApiError, createClient } from '#api/client.ts';
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
const pass = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000);
const newCode = async (who: SignedIn) => (await who.client.call(createPhoneCode, {})).code;
const find = (who: SignedIn, code: string) => who.client.call(findPhone, { body: { code } });
const poll = (phone_code: string) => guest().call(pollPhone, { body: { phone_code } });
const ask = (code: string, name = 'iPhone') => guest().call(requestPhone, { body: { code, name } });
const decide = (who: SignedIn, code: string, check_code: string, decision: 'approve' | 'deny' = 'approve') =>
  who.client.call(decidePhone, { body: { code, check_code, decision } });

async function asking(who: SignedIn, name?: string) {
  const code = await newCode(who);
  const asked = await ask(code, name);
  if (asked.state !== 'asking') throw new Error(asked.state);
  return { code, ...asked };
}

const tokensOf = async (who: SignedIn) => (await who.client.call(listTokens, { query: {} })).items;

describe('a phone that scans a code', () => {
  it('gets a token of the user who shows the code, once, that can upload and nothing else', async () => {
    const { code, url, expires_in } = await bea.client.call(createPhoneCode, {});
    expect([url, expires_in]).toEqual([`${service.linkAddress}/phone#code=${code}`, 300]);
    expect(await find(bea, code)).toMatchObject({ state: 'waiting' });

    const asked = await ask(code, 'Pixel');
    if (asked.state !== 'asking') throw new Error(asked.state);
    expect(asked.check_code).toMatch(/^[2-9A-Z]{4}$/);
    expect(await poll(asked.phone_code)).toEqual({ state: 'pending' });
    expect(await find(bea, code)).toMatchObject({ state: 'asking', name: 'Pixel', check_code: asked.check_code, address: '127.0.0.1' });

    await decide(bea, code, asked.check_code);
    expect(await find(bea, code)).toEqual({ state: 'approved', name: 'Pixel' });
    expect(await tokensOf(bea)).toEqual([]);

    const response = await poll(asked.phone_code);
    if (response.state !== 'approved') throw new Error(response.state);
    expect(response.username).toBe('bea');
    expect((await uploadImage(service, response.token, tinyPng(1))).key).toMatch(/^\w{12}$/);
    const headers = { authorization: `Bearer ${response.token}` };
    expect((await rawRequest(`${service.url}/api/v1/images`, { headers })).status).toBe(403);
    expect(await tokensOf(bea)).toMatchObject([{ name: 'Pixel', scope: 'upload' }]);
    expect(await tokensOf(owner)).toEqual([]);
    expect(await find(bea, code)).toEqual({ state: 'connected', name: 'Pixel' });
    expect(await poll(asked.phone_code)).toEqual({ state: 'used' });
  });

  it('gets one token, however many polls arrive at once', async () => {
    const { code, phone_code, check_code } = await asking(bea);
    await decide(bea, code, check_code);
    const responses = await Promise.all(Array.from({ length: 10 }, () => poll(phone_code)));
    expect(responses.map(({ state }) => state).sort()).toEqual(['approved', ...Array(9).fill('used')]);
    expect(await tokensOf(bea)).toHaveLength(1);
  });

  it('gets nothing with the code alone, as a device or as a token', async () => {
    const code = await newCode(bea);
    expect(await poll(code)).toEqual({ state: 'expired' });
    await expect(createClient({ baseUrl: service.url, token: code }).call(getLimits, {})).rejects.toMatchObject({ status: 401 });
  });

  it('is the only one that can ask with it', async () => {
    const { code } = await asking(bea, 'First');
    expect(await ask(code, 'Second')).toEqual({ state: 'used' });
    expect(await find(bea, code)).toMatchObject({ state: 'asking', name: 'First' });
    const at_once = await newCode(bea);
    const states = (await Promise.all(Array.from({ length: 10 }, () => ask(at_once)))).map(({ state }) => state);
    expect(states.filter((state) => state === 'asking')).toHaveLength(1);
  });

  it('learns that it was denied, and gets no token', async () => {
    const { code, phone_code, check_code } = await asking(bea);
    await decide(bea, code, check_code, 'deny');
    expect(await poll(phone_code)).toEqual({ state: 'denied' });
    expect(await find(bea, code)).toMatchObject({ state: 'denied' });
    await expect(decide(bea, code, check_code)).rejects.toMatchObject({ code: 'not_found' });
    expect(await tokensOf(bea)).toEqual([]);
  });

  it('has five minutes to ask, and its user five to decide', async () => {
    const late = await newCode(bea);
    pass(301);
    expect([await ask(late), await find(bea, late)]).toEqual([{ state: 'expired' }, { state: 'expired' }]);
    const { code, phone_code, check_code } = await asking(bea);
    pass(299);
    expect(await poll(phone_code)).toEqual({ state: 'pending' });
    pass(2);
    await expect(decide(bea, code, check_code)).rejects.toMatchObject({ code: 'not_found' });
    expect(await poll(phone_code)).toEqual({ state: 'expired' });
  });

  it('is forgotten when its user shows another code, unless it is approved', async () => {
    const [first, approved] = [await asking(bea), await asking(bea)];
    expect(await poll(first.phone_code)).toEqual({ state: 'expired' });
    await decide(bea, approved.code, approved.check_code);
    await newCode(bea);
    expect((await poll(approved.phone_code)).state).toBe('approved');
  });

  it('keeps its request over a restart of the service', async () => {
    const { code, phone_code, check_code } = await asking(bea);
    await service.restart();
    await decide(bea, code, check_code);
    await service.restart();
    expect(await poll(phone_code)).toMatchObject({ state: 'approved', username: 'bea' });
  });

  it('may not hide its name behind invisible characters', async () => {
    const code = await newCode(bea);
    await ask(code, 'i\u202ePhone\u001b[31m\n7');
    expect(await find(bea, code)).toMatchObject({ state: 'asking', name: 'iPhone 7' });
    await expect(ask(await newCode(bea), '\u202e\u200b')).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'name' } });
  });
});

describe('the decision', () => {
  it('needs the check code of the phone that is asking', async () => {
    const { code, check_code, phone_code } = await asking(bea);
    await expect(decide(bea, code, check_code === 'AAAA' ? 'BBBB' : 'AAAA')).rejects.toMatchObject({ code: 'not_found' });
    await expect(decide(bea, await newCode(owner), '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await poll(phone_code)).toEqual({ state: 'pending' });
  });

  it('is not another user’s, who learns nothing about the code, not even an admin', async () => {
    const { code, check_code, phone_code } = await asking(bea);
    expect(await find(owner, code)).toEqual({ state: 'expired' });
    for (const decision of ['approve', 'deny'] as const)
      await expect(decide(owner, code, check_code, decision)).rejects.toMatchObject({ code: 'not_found' });
    expect(await poll(phone_code)).toEqual({ state: 'pending' });
  });

  it('needs a session: not a guest, not a token, not another site', async () => {
    const { code, check_code, phone_code } = await asking(bea);
    const bodies = { codes: undefined, find: { code }, decision: { code, check_code, decision: 'approve' } };
    for (const [path, body] of Object.entries(bodies)) {
      const url = `${service.url}/api/v1/phone/${path}`;
      expect((await rawRequest(url, { method: 'POST', body })).status).toBe(401);
      for (const scope of ['upload', 'full'] as const) {
        const headers = { authorization: `Bearer ${await bea.token(scope)}` };
        expect((await rawRequest(url, { method: 'POST', headers, body })).code).toBe('forbidden');
      }
      const foreign = { cookie: bea.cookie, origin: 'https://evil.example' };
      expect((await rawRequest(url, { method: 'POST', headers: foreign, body })).code).toBe('cross_site');
    }
    expect(await poll(phone_code)).toEqual({ state: 'pending' });
  });

  it('is in the audit log, with the phone and its address but without codes', async () => {
    const { code, check_code, phone_code } = await asking(bea, 'Pixel');
    await decide(bea, code, check_code);
    const { items } = await owner.client.call(listAudit, { query: {} });
    expect(items[0]).toMatchObject({
      action: 'device.approved',
      target: 'Pixel',
      actor: { username: 'bea' },
      details: { address: '127.0.0.1' },
    });
    for (const secret of [code, check_code, phone_code]) expect(JSON.stringify(items)).not.toContain(secret);
  });
});

describe('a phone that a stolen session has approved', () => {
  const NEW_PASSWORD = 'correct horse battery staple';
  const setDisabled = (disabled: boolean) => owner.client.call(changeUser, { params: { id: bea.id }, body: { disabled } });

  it.each<[string, () => Promise<unknown>]>([
    ['the user ends all access', () => bea.client.call(endAccess, {})],
    [
      'the user changes the password',
      () => bea.client.call(changePassword, { body: { current_password: USER_PASSWORD, new_password: NEW_PASSWORD } }),
    ],
    ['the user ends all other sessions', () => bea.client.call(endOtherSessions, {})],
    ['an admin ends all access', () => owner.client.call(endUserAccess, { params: { id: bea.id } })],
    [
      'an admin resets the password',
      () => owner.client.call(resetUserPassword, { params: { id: bea.id }, body: { password: NEW_PASSWORD, revoke_tokens: false } }),
    ],
    ['an admin disables the account for a moment', () => setDisabled(true).then(() => setDisabled(false))],
  ])('gets no token once %s', async (_, revoke) => {
    const stolen = await newSession(service, 'bea', USER_PASSWORD);
    const [ofThief, ofOther] = [await asking(stolen), await asking(owner)];
    await decide(stolen, ofThief.code, ofThief.check_code);
    await decide(owner, ofOther.code, ofOther.check_code);
    await revoke();
    expect(await poll(ofThief.phone_code)).toEqual({ state: 'expired' });
    expect((await poll(ofOther.phone_code)).state).toBe('approved');
  });

  it('gets nothing while the account is disabled', async () => {
    const { code, phone_code, check_code } = await asking(bea);
    await decide(bea, code, check_code);
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('users').set({ disabled_at: Date.now() }).where('id', '=', bea.id).execute()),
    );
    expect(await poll(phone_code)).toEqual({ state: 'expired' });
    expect(await tokensOf(bea).catch(({ status }: ApiError) => status)).toBe(401);
  });
});

describe('limits', () => {
  const statusesOf = async (count: number, send: () => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: count }, () =>
        send().then(
          () => 200,
          ({ code, retryAfter }: ApiError) => retryAfter && code,
        ),
      ),
    );

  it('let a user show 60 codes an hour, and others as many', async () => {
    const statuses = await statusesOf(65, () => newCode(bea));
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 'rate_limited')).toHaveLength(5);
    expect(await newCode(owner)).toBeTruthy();
    await withDatabase(service, async (db) => expect(await db.read.selectFrom('phone_codes').selectAll().execute()).toHaveLength(2));
  });

  it('let a network ask 60 times an hour, and poll 120 times a minute', async () => {
    const asked = await statusesOf(65, () => ask('unknown'));
    expect(asked.filter((status) => status === 'rate_limited')).toHaveLength(5);
    const polled = await statusesOf(125, () => poll('unknown'));
    expect(polled.filter((status) => status === 'rate_limited')).toHaveLength(5);
  });
});
