import { afterAll, describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { createJar } from '#test/helpers/network/browser-jar.ts';
import { type RawResponse, rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER } from '#test/helpers/service/service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const { service } = await startFileService({ trustProxy: ['127.0.0.1'] });

/** Tries a password from the test's own address, so that tests don't share a rate limit. */
const attempt = (login: string, password: string, address: string) => logIn(service, login, password, { 'x-forwarded-for': address });
const statuses = (responses: RawResponse[]) => responses.map(({ status }) => status);

describe('signing in', () => {
  it.each([OWNER.username, OWNER.username.toUpperCase(), OWNER.email, OWNER.email.toUpperCase(), ` ${OWNER.username} `])(
    'accepts %j and the password',
    async (login) => {
      const response = await attempt(login, OWNER.password, '198.51.100.1');
      expect(response.status).toBe(200);
      expect(response.data.user).toMatchObject({ username: OWNER.username });
      expect(response.setCookies[0]).toMatch(/^pixdock_session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);
      expect(response.body).not.toMatch(/argon2|hash/);
    },
  );

  it('responds alike for an unknown account, a wrong password and a disabled account', async () => {
    const { id } = await addUser(service, 'disabled');
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('users').set({ disabled_at: 1 }).where('id', '=', id).execute()),
    );
    const responses = [
      await attempt('unknown', OWNER.password, '198.51.100.2'),
      await attempt(OWNER.username, 'wrong password', '198.51.100.2'),
      await attempt('disabled', USER_PASSWORD, '198.51.100.2'),
    ];
    expect(statuses(responses)).toEqual([401, 401, 401]);
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1);
    for (const { setCookies } of responses) expect(setCookies).toEqual([]);
  });

  it('takes as long for an unknown account as for a wrong password', async () => {
    const time = async (login: string, number: number) => {
      const start = performance.now();
      await attempt(login, 'wrong password', `198.51.101.${number}`);
      return performance.now() - start;
    };
    await addUser(service, 'timed');
    // The fastest rounds are the undisturbed ones; a busy machine needs more of them.
    let [unknown, known] = [Infinity, Infinity];
    for (let round = 0; round < 7 || (round < 40 && unknown <= known / 2); round++) {
      unknown = Math.min(unknown, await time(`unknown-${round}`, round));
      known = Math.min(known, await time('timed', 100 + round));
    }
    // Without the hash, an unknown account would take a tenth of the time.
    expect(unknown).toBeGreaterThan(known / 2);
  });

  it.each([{}, { login: 'ada' }, { login: 1, password: 'x' }, { login: '', password: 'x' }, { login: 'ada', password: '' }, []])(
    'refuses the body %j',
    async (body) => {
      const response = await rawRequest(`${service.url}/api/v1/auth/login`, { method: 'POST', body });
      expect(response).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );
});

describe('guessing passwords', () => {
  it('stops after ten wrong passwords for one account, even with the right one, and returns when to retry', async () => {
    await addUser(service, 'bea');
    for (let guess = 0; guess < 10; guess++) expect((await attempt('bea', `wrong ${guess}`, '198.51.100.3')).status).toBe(401);
    const refused = await attempt('bea', USER_PASSWORD, '198.51.100.3');
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    const wait = Number(refused.header('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(300);
    expect(refused.data.retry_after).toBe(wait);
    expect((await attempt('bea', USER_PASSWORD, '198.51.100.4')).status).toBe(200);
  });

  it('does not reveal that a user name and an e-mail address belong together', async () => {
    await addUser(service, 'finn');
    for (let guess = 0; guess < 10; guess++) await attempt('finn', `wrong ${guess}`, '198.51.100.8');
    expect((await attempt('finn', 'wrong', '198.51.100.8')).status).toBe(429);
    const guesses = async (login: string) => (await attempt(login, 'wrong', '198.51.100.8')).body;
    expect(await guesses('finn@example.org')).toBe(await guesses('unknown@example.org'));
    expect((await attempt('finn@example.org', USER_PASSWORD, '198.51.100.8')).status).toBe(200);
  });

  it('allows a hundred wrong passwords for one account, by both of its names', async () => {
    await addUser(service, 'gus');
    const from = (network: number) => `198.51.102.${network}`;
    const responses: RawResponse[] = [];
    for (const login of ['gus', 'GUS@example.org'])
      for (let guess = 0; guess < 60; guess++) responses.push(await attempt(login, 'wrong', from(Math.floor(guess / 6))));
    expect(statuses(responses).filter((status) => status === 401)).toHaveLength(100);
    for (const login of ['gus', 'gus@example.org']) expect((await attempt(login, USER_PASSWORD, from(99))).status).toBe(429);
  });

  it('cannot exceed the limit with concurrent attempts', async () => {
    await addUser(service, 'cleo');
    const responses = await Promise.all(Array.from({ length: 40 }, (_, guess) => attempt('cleo', `wrong ${guess}`, '198.51.100.5')));
    expect(statuses(responses).filter((status) => status === 401)).toHaveLength(10);
    expect(statuses(responses).filter((status) => status === 429)).toHaveLength(30);
  });

  it('allows thirty wrong passwords per address, over all accounts, known or not', async () => {
    const responses = await Promise.all(Array.from({ length: 35 }, (_, guess) => attempt(`person-${guess}`, 'wrong', '198.51.100.6')));
    expect(statuses(responses).filter((status) => status === 401)).toHaveLength(30);
    expect((await attempt(OWNER.username, OWNER.password, '198.51.100.6')).status).toBe(429);
  });

  it('counts the addresses of an IPv6 network together', async () => {
    for (let guess = 0; guess < 10; guess++) await attempt(OWNER.username, `wrong ${guess}`, `2001:db8:1:2::${guess + 1}`);
    expect((await attempt(OWNER.username, OWNER.password, '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await attempt(OWNER.username, OWNER.password, '2001:db8:1:3::1')).status).toBe(200);
  });

  it('never counts right passwords as wrong, and resets the count after one', async () => {
    await addUser(service, 'dora');
    const responses = await Promise.all(Array.from({ length: 40 }, () => attempt('dora', USER_PASSWORD, '198.51.100.7')));
    expect(new Set(statuses(responses))).toEqual(new Set([200]));
    for (let guess = 0; guess < 9; guess++) await attempt('dora', 'wrong', '198.51.100.7');
    expect((await attempt('dora', USER_PASSWORD, '198.51.100.7')).status).toBe(200);
    expect((await attempt('dora', 'wrong', '198.51.100.7')).status).toBe(401);
  });
});

it('allows an account sixty sign-ins an hour, wherever they come from', async () => {
  await addUser(service, 'ivan');
  const responses = await Promise.all(Array.from({ length: 70 }, (_, index) => attempt('ivan', USER_PASSWORD, `198.51.104.${index}`)));
  expect(statuses(responses).filter((status) => status === 200)).toHaveLength(60);
  expect(responses.find(({ status }) => status !== 200)).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await attempt(OWNER.username, OWNER.password, '198.51.104.1')).status).toBe(200);
});

it('still refuses guesses after a restart', async () => {
  for (let i = 0; i < 10; i++) await attempt('grace', 'wrong password', '198.51.103.1');
  await service.restart();
  const refused = await attempt('grace', 'wrong password', '198.51.103.1');
  expect([refused.status, Number(refused.header('retry-after')) > 200]).toEqual([429, true]);
  expect((await attempt(OWNER.username, OWNER.password, '198.51.103.2')).status).toBe(200);
});

describe('signing in', async () => {
  const { service, owner } = await startFileService({ trustProxy: ['127.0.0.1'] });
  const provider = await startOidcProvider([`${service.url}${CALLBACK}`], { people: {} });
  await signOnWith(owner, provider);
  afterAll(() => provider.stop());

  const attempt = (login: string, password: string, address: string, userAgent = 'Firefox') =>
    logIn(service, login, password, { 'x-forwarded-for': address, 'user-agent': userAgent });
  const log = async (limit: number) => (await owner.client.call(listAudit, { query: { limit } })).items;

  describe('the audit log', () => {
    it('records who signed in with a password, and from where', async () => {
      await attempt(OWNER.email, OWNER.password, '198.51.100.1');
      expect(await log(1)).toMatchObject([
        {
          action: 'user.signed_in',
          actor: { username: 'ada' },
          target: 'ada',
          details: { method: 'password' },
          address: '198.51.100.1',
          user_agent: 'Firefox',
        },
      ]);
    });

    it('records the account and the reason of a failed sign-in, without an actor', async () => {
      const { id } = await addUser(service, 'dora');
      const disable = (disabled_at: number) =>
        withDatabase(service, (db) =>
          db.as('job').write((queries) => queries.updateTable('users').set({ disabled_at }).where('id', '=', id).execute()),
        );
      await attempt('DORA@example.org', 'not her password', '198.51.100.2');
      await disable(1);
      await attempt('dora', USER_PASSWORD, '198.51.100.2');
      const failure = { action: 'user.sign_in_failed', actor: null, target: 'dora', address: '198.51.100.2' };
      expect(await log(2)).toMatchObject([
        { ...failure, details: { method: 'password', reason: 'disabled' } },
        { ...failure, details: { method: 'password', reason: 'wrong_password' } },
      ]);
    });

    it('does not store an unknown login: it may have been a password', async () => {
      const typed = ['hunter2hunter2', '<img src=x onerror=alert(1)>\r\n\u202e', 'the password of another user'];
      for (const login of typed) expect((await attempt(login, 'another secret', '198.51.100.3')).status).toBe(401);
      const entries = await log(3);
      for (const entry of entries)
        expect(entry).toMatchObject({ target: '', actor: null, details: { method: 'password', reason: 'unknown_account' } });
      const text = JSON.stringify(await log(200));
      for (const secret of [...typed, 'another secret', 'not her password', OWNER.password, 'onerror']) expect(text).not.toContain(secret);
    });

    it('stores hostile names and user agents as harmless text', async () => {
      const { id } = await addUser(service, 'eve');
      const username = 'eve\u202e\n</script>\u0007';
      await withDatabase(service, (db) =>
        db.as('job').write((queries) => queries.updateTable('users').set({ username }).where('id', '=', id).execute()),
      );
      await attempt('eve@example.org', USER_PASSWORD, '198.51.100.4', `${'x'.repeat(400)}`);
      const [entry] = await log(1);
      expect(entry).toMatchObject({ target: 'eve  </script> ', actor: { username: 'eve  </script> ' } });
      expect(entry?.user_agent).toHaveLength(300);
    });

    it('records successful and failed sign-ins through the provider', async () => {
      const dora = await addUser(service, 'mia');
      provider.people.mia = { email: 'mia@example.org', email_verified: true };
      await signOn(service, 'mia');
      expect(await log(1)).toMatchObject([
        {
          action: 'user.signed_in',
          actor: { id: dora.id },
          target: 'mia',
          details: { method: 'oidc' },
          address: expect.stringContaining('127.0.0.1'),
        },
      ]);
      provider.people.mallory = { email: 'mia@example.org', email_verified: false };
      await signOn(service, 'mallory');
      expect(await log(1)).toMatchObject([
        { action: 'user.sign_in_failed', actor: null, target: 'mia', details: { method: 'oidc', reason: 'oidc_email_taken' } },
      ]);
      await signOnWith(owner, provider, { auto_create: false });
      provider.people.stranger = { email: 'stranger@example.net', email_verified: true };
      await signOn(service, 'stranger');
      expect(await log(1)).toMatchObject([{ target: 'stranger@example.net', details: { method: 'oidc', reason: 'oidc_not_allowed' } }]);
    });

    it('cannot be flooded by failures from one address, and still records those of others', async () => {
      const fail = (address: string) =>
        createJar().send(`${service.url}${CALLBACK}?code=x&state=y`, { headers: { 'x-forwarded-for': address } });
      for (let count = 0; count < 35; count++) expect((await fail('198.51.100.5')).status).toBe(302);
      await fail('198.51.100.6');
      const failures = (await log(200)).filter(({ action }) => action === 'user.sign_in_failed');
      expect(failures.filter(({ address }) => address === '198.51.100.5')).toHaveLength(30);
      expect(failures.filter(({ address }) => address === '198.51.100.6')).toHaveLength(1);
    });
  });
});
