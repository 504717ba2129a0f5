import { afterAll, describe, expect, it, vi } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import * as admin from '#api/admin/users.ts';
import * as api from '#api/auth/two-factor.ts';
import { changePassword } from '#api/auth/user.ts';
import { resetPassword } from '#server/features/accounts/reset-password.ts';
import { createJar, type Jar } from '#test/helpers/network/browser-jar.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { type AddedUser, addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER } from '#test/helpers/service/service.ts';
import { codeOf, passSteps, stopClock } from '#test/helpers/sign-on/authenticator-app.ts';

stopClock();
afterAll(() => void vi.useRealTimers());
const { service, owner } = await startFileService({ trustProxy: ['127.0.0.1'] });
const at = (path: string) => `${service.url}/api/v1${path}`;
const withPassword = { body: { current_password: USER_PASSWORD } };

let number = 0;
/** A user of the test's own with two-factor authentication turned on. */
async function someone(role: 'user' | 'admin' = 'user') {
  const name = `user-${++number}`;
  const user = await addUser(service, name, role);
  return { ...user, name, ...(await turnOn(user)) };
}

async function turnOn({ client }: Pick<AddedUser, 'client'>) {
  const { secret, offer } = await client.call(api.offerTwoFactor, withPassword);
  const { recovery_codes } = await client.call(api.enableTwoFactor, { body: { offer, code: codeOf(secret) } });
  // The code that turned it on is spent.
  passSteps(1);
  return { secret, codes: recovery_codes };
}

/** A browser, at an address of its own. */
function browser() {
  const jar = createJar();
  const headers = { 'x-forwarded-for': `198.51.100.${++number}` };
  const send = (method: string, path: string, body?: unknown) =>
    jar.send(at(path), { method, headers, ...(body !== undefined && { body }) });
  return {
    jar,
    password: (login: string, password = USER_PASSWORD) => send('POST', '/auth/login', { login, password }),
    code: (code: string) => send('POST', '/auth/code', { code }),
    beginEnrolment: () => send('POST', '/auth/enrol'),
    completeEnrolment: (body: object) => send('PUT', '/auth/enrol', body),
  };
}

const isSignedIn = async (jar: Jar) => (await jar.send(at('/auth/session'))).data.user !== null;
const audit = async (action: string) => (await owner.client.call(listAudit, { query: { action, limit: 1 } })).items[0];

describe('signing in with two-factor authentication', () => {
  it('needs a code after the password, and is no session before', async () => {
    const { name, secret } = await someone();
    const { jar, password, code } = browser();
    expect(await password(name)).toMatchObject({ status: 200, data: { user: null, second_step: 'code' } });
    expect(jar.cookie(at('/auth/code'), 'pixdock_session')).toBeUndefined();
    expect(await jar.send(at('/user'))).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await code(codeOf(secret))).toMatchObject({ status: 200, data: { user: { username: name } } });
    expect(await jar.send(at('/user'))).toMatchObject({ status: 200 });
    expect(await audit('user.signed_in')).toMatchObject({ target: name, details: { method: 'password', second: 'code' } });
  });

  it('accepts the codes before and after the current one, and no others', async () => {
    const { name, secret } = await someone();
    passSteps(10);
    const { password, code } = browser();
    await password(name);
    for (const steps of [-2, 2]) expect(await code(codeOf(secret, steps))).toMatchObject({ status: 401, code: 'wrong_code' });
    expect(await audit('user.sign_in_failed')).toMatchObject({ target: name, details: { method: 'password', reason: 'wrong_code' } });
    for (const steps of [-1, 0, 1]) {
      await password(name);
      expect((await code(codeOf(secret, steps))).status).toBe(200);
    }
  });

  it('accepts no code twice, nor one from before', async () => {
    const { name, secret } = await someone();
    const [first, second] = [browser(), browser()];
    await first.password(name);
    await second.password(name);
    const seen = codeOf(secret);
    const both = await Promise.all([first.code(seen), second.code(seen)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const refused = both[0]?.status === 401 ? first : second;
    expect(await refused.code(codeOf(secret, -1))).toMatchObject({ status: 401, code: 'wrong_code' });
    const other = browser();
    await other.password(name);
    expect((await other.code(codeOf(secret, 1))).status).toBe(200);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const { name, client, codes } = await someone();
    expect(new Set(codes).size).toBe(10);
    const { jar, password, code } = browser();
    await password(name);
    expect((await code(` ${codes[3]?.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect(await isSignedIn(jar)).toBe(true);
    expect(await audit('user.signed_in')).toMatchObject({ details: { second: 'recovery_code' } });
    const again = browser();
    await again.password(name);
    expect(await again.code(codes[3] ?? '')).toMatchObject({ status: 401, code: 'wrong_code' });
    expect(await client.call(api.getTwoFactor, {})).toMatchObject({ recovery_codes_left: 9, required: false });
  });

  it('takes no code without a password, after ten minutes, or once the password has changed', async () => {
    const { name, secret, client } = await someone();
    expect(await browser().code(codeOf(secret))).toMatchObject({ status: 401, code: 'unauthorized' });
    const slow = browser();
    await slow.password(name);
    passSteps(21);
    expect(await slow.code(codeOf(secret))).toMatchObject({ status: 401, code: 'unauthorized' });
    const outdated = browser();
    await outdated.password(name);
    await client.call(changePassword, { body: { current_password: USER_PASSWORD, new_password: 'a password never seen before' } });
    expect(await outdated.code(codeOf(secret))).toMatchObject({ status: 401, code: 'unauthorized' });
    const right = browser();
    await right.password(name, 'a password never seen before');
    expect((await right.code(codeOf(secret))).status).toBe(200);
  });

  it('doesn’t take the password’s cookie as a session, nor one that was made up', async () => {
    const { name } = await someone();
    const { jar, password } = browser();
    await password(name);
    const step = jar.cookie(at('/auth/code'), 'pixdock_second_step') ?? '';
    expect(step.length).toBeGreaterThan(50);
    for (const cookie of [`pixdock_session=${step}`, `pixdock_second_step=${step.slice(0, -2)}AA`])
      expect((await rawRequest(at('/auth/code'), { method: 'POST', headers: { cookie }, body: { code: '123456' } })).status).toBe(401);
  });

  it('stops after ten wrong codes, from wherever and even in parallel, but not for a known device', async () => {
    const { name, secret } = await someone();
    const known = browser();
    await known.password(name);
    expect((await known.code(codeOf(secret))).status).toBe(200);
    const guessers = [browser(), browser()];
    for (const { password } of guessers) await password(name);
    const wrong = codeOf(secret, 500);
    const guesses = await Promise.all(Array.from({ length: 16 }, (_, guess) => guessers[guess % 2]?.code(wrong)));
    expect(guesses.filter((response) => response?.status === 401)).toHaveLength(10);
    passSteps(1);
    expect(await guessers[0]?.code(codeOf(secret))).toMatchObject({ status: 429, code: 'rate_limited' });
    await known.password(name);
    expect((await known.code(codeOf(secret))).status).toBe(200);
    await service.restart();
    passSteps(1);
    expect(await guessers[1]?.code(codeOf(secret))).toMatchObject({ status: 429, code: 'rate_limited' });
  });

  it('gives no guesses of their own to devices from before, but to the one that turned it on', async () => {
    const name = `user-${++number}`;
    await addUser(service, name);
    const collected = [browser(), browser()];
    for (const { password } of collected) expect((await password(name)).data.user).not.toBeNull();
    const owners = browser();
    await owners.password(name);
    const { data } = await owners.jar.send(at('/user/two-factor'), { method: 'POST', body: withPassword.body });
    const { offer, secret } = data as unknown as api.TwoFactorOffer;
    passSteps(1);
    const enabled = await owners.jar.send(at('/user/two-factor'), { method: 'PUT', body: { offer, code: codeOf(secret) } });
    expect(enabled.status).toBe(200);
    passSteps(1);
    const statuses = [];
    for (const { password, code } of collected) {
      await password(name);
      for (let guess = 0; guess < 6; guess++) statuses.push((await code(codeOf(secret, 500))).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    await owners.password(name);
    expect((await owners.code(codeOf(secret))).status).toBe(200);
  });

  it('asks neither the desktop app nor tokens', async () => {
    const { id, token, client } = await someone();
    const session = await service.openAccountSession(id, OWNER.username);
    expect((await rawRequest(at('/user'), { headers: { cookie: `${session?.name}=${session?.value}` } })).status).toBe(200);
    const authorization = `Bearer ${await token('full')}`;
    expect((await rawRequest(at('/user'), { headers: { authorization } })).status).toBe(200);
    expect((await client.call(api.getTwoFactor, {})).enabled_at).not.toBeNull();
  });
});

describe('the settings', () => {
  it('store neither secret nor recovery codes in the clear', async () => {
    const { id, secret, codes } = await someone();
    await withDatabase(service, async ({ read }) => {
      const rows = [
        await read.selectFrom('two_factor').selectAll().where('user_id', '=', id).execute(),
        await read.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute(),
      ];
      expect(rows.map((list) => list.length)).toEqual([1, 10]);
      const text = JSON.stringify(rows);
      for (const plain of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) expect(text).not.toContain(plain);
    });
  });

  it('require the password for everything, and a right first code', async () => {
    const user = await addUser(service, `user-${++number}`);
    const wrong = { body: { current_password: 'not the password' } };
    for (const route of [api.offerTwoFactor, api.replaceRecoveryCodes, api.disableTwoFactor]) {
      await expect(user.client.call(route, wrong)).rejects.toMatchObject({ code: 'wrong_password' });
      await expect(user.client.call(route, { body: {} })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const { secret, offer, uri } = await user.client.call(api.offerTwoFactor, withPassword);
    expect(uri).toBe(`otpauth://totp/Pixdock:user-${number}?issuer=Pixdock&secret=${secret}&algorithm=SHA1&digits=6&period=30`);
    const tryCode = (code: string) => user.client.call(api.enableTwoFactor, { body: { offer, code } });
    await expect(tryCode(codeOf(secret, 5))).rejects.toMatchObject({ code: 'wrong_code' });
    expect((await user.client.call(api.getTwoFactor, {})).enabled_at).toBeNull();
    await tryCode(codeOf(secret));
    expect(await audit('user.two_factor_enabled')).toMatchObject({ target: `user-${number}` });
    // Only the user it was made for can use it.
    const other = await addUser(service, `user-${++number}`);
    const stolen = other.client.call(api.enableTwoFactor, { body: { offer, code: codeOf(secret) } });
    await expect(stolen).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('move it to another app, and replace the recovery codes', async () => {
    const user = await someone();
    const moved = await turnOn(user);
    const { password, code } = browser();
    await password(user.name);
    for (const old of [codeOf(user.secret), user.codes[0] ?? '']) expect((await code(old)).code).toBe('wrong_code');
    expect((await code(codeOf(moved.secret))).status).toBe(200);
    const { recovery_codes } = await user.client.call(api.replaceRecoveryCodes, withPassword);
    expect(await audit('user.recovery_codes_replaced')).toMatchObject({ target: user.name });
    const again = browser();
    await again.password(user.name);
    expect((await again.code(moved.codes[0] ?? '')).code).toBe('wrong_code');
    expect((await again.code(recovery_codes[0] ?? '')).status).toBe(200);
  });

  it('end all other sessions when it is turned on', async () => {
    const name = `user-${++number}`;
    const user = await addUser(service, name);
    const stolen = browser();
    await stolen.password(name);
    expect(await isSignedIn(stolen.jar)).toBe(true);
    await turnOn(user);
    expect(await isSignedIn(stolen.jar)).toBe(false);
    expect((await user.client.call(api.getTwoFactor, {})).enabled_at).not.toBeNull();
  });

  it('turn it off', async () => {
    const { client, name } = await someone();
    await client.call(api.disableTwoFactor, withPassword);
    expect(await client.call(api.getTwoFactor, {})).toEqual({ enabled_at: null, recovery_codes_left: 0, required: false });
    expect(await audit('user.two_factor_disabled')).toMatchObject({ target: name });
    expect((await browser().password(name)).data.user).toMatchObject({ username: name });
    await expect(client.call(api.replaceRecoveryCodes, withPassword)).rejects.toMatchObject({
      code: 'conflict',
      details: { problem: 'two_factor_off' },
    });
  });

  it('are each user’s own, and for sessions only', async () => {
    const [user, neighbour] = [await someone(), await addUser(service, `user-${++number}`)];
    expect((await neighbour.client.call(api.getTwoFactor, {})).enabled_at).toBeNull();
    await neighbour.client.call(api.disableTwoFactor, withPassword);
    expect((await user.client.call(api.getTwoFactor, {})).enabled_at).not.toBeNull();
    const [full, upload] = [await user.token('full'), await user.token('upload')];
    for (const { method, path } of [
      api.getTwoFactor,
      api.offerTwoFactor,
      api.enableTwoFactor,
      api.replaceRecoveryCodes,
      api.disableTwoFactor,
    ]) {
      const call = (headers: Record<string, string>) =>
        rawRequest(at(path), { method, headers, ...(method !== 'GET' && { body: { current_password: USER_PASSWORD } }) });
      expect([path, (await call({})).status]).toEqual([path, 401]);
      for (const token of [full, upload]) expect([path, (await call({ authorization: `Bearer ${token}` })).status]).toEqual([path, 403]);
      if (method === 'GET') continue;
      expect(await call({ cookie: user.cookie, origin: 'https://evil.example' })).toMatchObject({ status: 403, code: 'cross_site' });
    }
  });

  it('offer nothing to an account without a password', async () => {
    const { id, client } = await addUser(service, `user-${++number}`);
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()),
    );
    await expect(client.call(api.offerTwoFactor, { body: {} })).rejects.toMatchObject({
      code: 'conflict',
      details: { problem: 'no_password' },
    });
  });
});

describe('admins', () => {
  const reset = (id: number) => ({ params: { id: String(id) } });

  it('reset the second factor of a user, and leave a trace', async () => {
    const [user, hal] = [await someone(), await addUser(service, `user-${++number}`, 'admin')];
    expect(await hal.client.call(admin.getUser, reset(user.id))).toMatchObject({ two_factor: true });
    expect(await hal.client.call(admin.resetUserTwoFactor, reset(user.id))).toMatchObject({ two_factor: false });
    expect(await audit('user.two_factor_reset')).toMatchObject({ actor: { id: hal.id }, target: user.name });
    expect((await browser().password(user.name)).data.second_step).toBeNull();
    await expect(hal.client.call(admin.resetUserTwoFactor, reset(99_999))).rejects.toMatchObject({ code: 'not_found' });
    await expect(user.client.call(admin.resetUserTwoFactor, reset(hal.id))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('reset neither their own nor the owner’s, which the command line does', async () => {
    const hal = await someone('admin');
    await expect(hal.client.call(admin.resetUserTwoFactor, reset(hal.id))).rejects.toMatchObject({ code: 'forbidden' });
    const { items } = await hal.client.call(admin.listUsers, { query: { q: OWNER.username } });
    await expect(hal.client.call(admin.resetUserTwoFactor, reset(items[0]?.id ?? 0))).rejects.toMatchObject({ code: 'forbidden' });
    const enter = async () => 'a password never seen before';
    await resetPassword(service.config, hal.name, enter);
    const { password } = browser();
    expect((await password(hal.name, await enter())).data.second_step).toBe('code');
    await resetPassword(service.config, hal.name, enter, { resetTwoFactor: true });
    expect((await password(hal.name, await enter())).data.second_step).toBeNull();
  });

  it('require it of admins or of everyone, who set it up at their next sign-in', async () => {
    const setRequired = (two_factor_required: 'nobody' | 'admins' | 'everyone') =>
      owner.client.call(changeAdminSettings, { body: { two_factor_required } });
    const [member, hal] = [await addUser(service, `user-${++number}`), await addUser(service, `user-${++number}`, 'admin')];
    const [memberName, halName] = [`user-${number - 1}`, `user-${number}`];
    await setRequired('admins');
    expect((await browser().password(memberName)).data.second_step).toBeNull();
    const { jar, password, beginEnrolment, completeEnrolment, code } = browser();
    expect((await password(halName)).data).toEqual({ user: null, second_step: 'enrol' });
    expect(await isSignedIn(jar)).toBe(false);
    const { offer, secret } = (await beginEnrolment()).data as unknown as api.TwoFactorOffer;
    expect((await completeEnrolment({ offer, code: codeOf(secret, 7) })).code).toBe('wrong_code');
    expect(await isSignedIn(jar)).toBe(false);
    const done = await completeEnrolment({ offer, code: codeOf(secret) });
    expect(done).toMatchObject({ status: 200, data: { user: { username: halName } } });
    expect(done.data.recovery_codes).toHaveLength(10);
    expect(await isSignedIn(jar)).toBe(true);
    // No one stays signed in from before.
    await expect(hal.client.call(api.getTwoFactor, {})).rejects.toMatchObject({ code: 'unauthorized' });
    const off = await jar.send(at('/user/two-factor/disable'), { method: 'POST', body: withPassword.body });
    expect(off).toMatchObject({ status: 403, code: 'forbidden' });
    // From now on it is asked for, and the password alone can't set it up again.
    passSteps(1);
    expect((await password(halName)).data.second_step).toBe('code');
    expect(await beginEnrolment()).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await completeEnrolment({ offer, code: codeOf(secret) })).toMatchObject({ status: 401, code: 'unauthorized' });
    expect((await code(codeOf(secret))).status).toBe(200);

    await setRequired('everyone');
    expect((await browser().password(memberName)).data.second_step).toBe('enrol');
    expect((await member.client.call(api.getTwoFactor, {})).required).toBe(true);
    await owner.client.call(changeAdminSettings, { body: { registration_mode: 'open' } });
    const newcomer = browser();
    const registered = await newcomer.jar.send(at('/auth/register'), {
      method: 'POST',
      body: { username: 'newcomer', email: 'newcomer@example.org', password: USER_PASSWORD },
    });
    expect(registered.data).toEqual({ user: null, second_step: 'enrol' });
    expect(await isSignedIn(newcomer.jar)).toBe(false);
    await setRequired('nobody');
    expect((await browser().password(memberName)).data.second_step).toBeNull();
  });

  it('never let anyone enrol who hasn’t sent a password', async () => {
    const { beginEnrolment, completeEnrolment } = browser();
    expect(await beginEnrolment()).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await completeEnrolment({ offer: 'x', code: '123456' })).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
