import { afterAll, describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { createJar } from '#test/helpers/network/browser-jar.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER } from '#test/helpers/service/service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

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
