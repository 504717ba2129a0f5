import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { logout } from '#api/auth/auth.ts';
import { getSignOnLinks, linkSignOn, unlinkSignOn } from '#api/auth/oidc.ts';
import { enableTwoFactor, offerTwoFactor } from '#api/auth/two-factor.ts';
import { createJar, type Jar } from '#test/helpers/network/browser-jar.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER, type SignedIn, setUp, signedIn, startTestService } from '#test/helpers/service/service.ts';
import { codeOf } from '#test/helpers/sign-on/authenticator-app.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith, throughProvider } from '#test/helpers/sign-on/sign-on.ts';

const LINK = '/api/v1/user/sign-on';
const { service, owner } = await startFileService();
const provider = await startOidcProvider([`${service.url}${CALLBACK}`], {
  people: { boss: { email: OWNER.email }, bea: { email: 'bea-at-work@example.net' }, cleo: {} },
});
afterAll(() => provider.stop());
beforeEach(() => signOnWith(owner, provider));

const bea = await addUser(service, 'bea');
const linksOf = async (user: SignedIn) => (await user.client.call(getSignOnLinks, {})).links;

/** A browser in which the user is signed in. */
function browserOf({ cookie }: SignedIn): Jar {
  const jar = createJar();
  const [name = '', value = ''] = cookie.split('=');
  jar.setCookie(service.url, name, value);
  return jar;
}

const start = (jar: Jar, current_password?: string, headers: Record<string, string> = {}) =>
  jar.send(`${service.url}${LINK}`, { method: 'POST', body: { current_password }, headers });

/** Starts a link in a browser and goes through the provider; returns the address that leads back. */
async function towards(jar: Jar, password: string, person: string): Promise<string> {
  const { status, data, body } = await start(jar, password);
  expect(status, body).toBe(200);
  return throughProvider(service, jar, person, String(data.url));
}

describe('linking', () => {
  it('lets the owner sign on, by a link from their own session only', async () => {
    expect((await signOn(service, 'boss')).location).toBe('/login?error=oidc_link_first');
    const jar = browserOf(owner);
    const back = await towards(jar, OWNER.password, 'boss');
    expect((await jar.send(back)).header('location')).toBe('/settings/account?linked=1');
    expect(await linksOf(owner)).toEqual([{ id: expect.any(String), issuer: provider.issuer, created_at: expect.any(String) }]);
    expect(await signOn(service, 'boss')).toMatchObject({ location: '/', username: OWNER.username });
    const { items } = await owner.client.call(listAudit, { query: { action: 'user.linked' } });
    expect(items[0]).toMatchObject({ actor: { username: OWNER.username }, target: OWNER.username });
    // Again changes nothing.
    const again = browserOf(owner);
    expect((await again.send(await towards(again, OWNER.password, 'boss'))).header('location')).toBe('/settings/account?linked=1');
    expect(await linksOf(owner)).toHaveLength(1);
  });

  it('asks for no code: the provider decides about second factors', async () => {
    const { secret, offer } = await owner.client.call(offerTwoFactor, { body: { current_password: OWNER.password } });
    await owner.client.call(enableTwoFactor, { body: { offer, code: codeOf(secret) } });
    expect(await signOn(service, 'boss')).toMatchObject({ location: '/', username: OWNER.username });
  });

  it('refuses a person who has another account', async () => {
    const jar = browserOf(bea);
    const back = await towards(jar, USER_PASSWORD, 'boss');
    expect((await jar.send(back)).header('location')).toBe('/settings/account?error=oidc_linked_elsewhere');
    expect(await linksOf(bea)).toEqual([]);
    expect((await signOn(service, 'boss')).username).toBe(OWNER.username);
  });

  it('requires the password, before the provider is asked', async () => {
    provider.requests.length = 0;
    expect(await start(browserOf(bea))).toMatchObject({ status: 400, data: { field: 'current_password' } });
    const refused = await start(browserOf(bea), 'not the password');
    expect(refused).toMatchObject({ status: 401, code: 'wrong_password', setCookies: [] });
    expect(provider.requests).toEqual([]);
  });

  it('ends in the browser and the session that have started it', async () => {
    const jar = browserOf(bea);
    const back = await towards(jar, USER_PASSWORD, 'bea');
    const { name, value } = jar.cookies(back).find((cookie) => cookie.name.startsWith('pixdock_sign_on')) ?? { name: '', value: '' };
    // Without the cookie, the callback is an ordinary sign-on that no one has started.
    const stranger = createJar();
    expect((await stranger.send(back)).header('location')).toBe('/login?error=oidc_failed');
    for (const other of [createJar(), browserOf(owner), browserOf(await newSession(bea))]) {
      await other.send(`${service.url}/api/v1/auth/oidc/start`);
      other.setCookie(back, name, value);
      const response = await other.send(back);
      expect(response.header('location')).toBe('/settings/account?error=oidc_failed');
      expect(response.setCookies.join()).not.toContain('pixdock_session=');
    }
    expect(await linksOf(bea)).toEqual([]);
    expect(await linksOf(owner)).toHaveLength(1);
  });

  it('fails once the session has ended', async () => {
    const session = await newSession(bea);
    const jar = browserOf(session);
    const back = await towards(jar, USER_PASSWORD, 'bea');
    await session.client.call(logout, {});
    expect((await jar.send(back)).header('location')).toBe('/settings/account?error=oidc_failed');
    expect(await linksOf(bea)).toEqual([]);
  });

  it('leads back with the fault when the user declines or the provider is unreachable', async () => {
    const jar = browserOf(bea);
    const state = new URL(String((await start(jar, USER_PASSWORD)).data.url)).searchParams.get('state');
    const declined = await jar.send(`${service.url}${CALLBACK}?error=access_denied&state=${state}`);
    expect(declined.header('location')).toBe('/settings/account?error=oidc_failed');
    const gone = await startOidcProvider([`${service.url}${CALLBACK}`]);
    await signOnWith(owner, gone);
    await gone.stop();
    expect(await start(browserOf(bea), USER_PASSWORD)).toMatchObject({ status: 503, code: 'unavailable', setCookies: [] });
    await signOnWith(owner, provider, { enabled: false });
    expect(await start(browserOf(bea), USER_PASSWORD)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await bea.client.call(getSignOnLinks, {})).toEqual({ available: false, links: [] });
  });

  it('starts only at the link address, where the provider redirects back to', async () => {
    const { port } = new URL(service.url);
    const elsewhere = await start(createJar(), USER_PASSWORD, { host: `localhost:${port}`, cookie: bea.cookie });
    expect(elsewhere).toMatchObject({
      status: 409,
      setCookies: [],
      data: { code: 'conflict', problem: 'other_address', subject: service.url },
    });
    // A proxy may hide the address, but not the browser's Origin.
    await using proxied = await startTestService({ baseUrl: 'https://pics.example.org' });
    const admin = await setUp(proxied);
    await signOnWith(admin, provider);
    const statusWith = async (headers: Record<string, string>) => {
      const body = { current_password: OWNER.password };
      return (await rawRequest(`${proxied.url}${LINK}`, { method: 'POST', headers: { ...headers, cookie: admin.cookie }, body })).status;
    };
    expect(await statusWith({ origin: 'https://pics.example.org' })).toBe(200);
    expect(await statusWith({})).toBe(409);
  });
});

describe('unlinking', () => {
  it('ends signing on, for the account’s own links only', async () => {
    const [link] = await linksOf(owner);
    const id = link?.id ?? '';
    const body = { current_password: OWNER.password };
    await expect(bea.client.call(unlinkSignOn, { params: { id }, body: { current_password: USER_PASSWORD } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(owner.client.call(unlinkSignOn, { params: { id }, body: {} })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(owner.client.call(unlinkSignOn, { params: { id }, body: { current_password: 'wrong' } })).rejects.toMatchObject({
      code: 'wrong_password',
    });
    expect(await linksOf(owner)).toEqual([link]);
    await owner.client.call(unlinkSignOn, { params: { id }, body });
    expect(await linksOf(owner)).toEqual([]);
    expect((await signOn(service, 'boss')).location).toBe('/login?error=oidc_link_first');
    await expect(owner.client.call(unlinkSignOn, { params: { id }, body })).rejects.toMatchObject({ code: 'not_found' });
    const { items } = await owner.client.call(listAudit, { query: { action: 'user.unlinked' } });
    expect(items).toMatchObject([{ actor: { username: OWNER.username }, details: { issuer: provider.issuer } }]);
  });

  it('refuses to remove the only way to sign in', async () => {
    provider.people.dan = { email: 'dan@example.net', email_verified: true };
    const { jar, userId } = await signOn(service, 'dan');
    const { data } = await jar.send(`${service.url}${LINK}`);
    const [link] = data.links as { id: number }[];
    const body = { current_password: USER_PASSWORD };
    const remove = () => jar.send(`${service.url}${LINK}/${link?.id}`, { method: 'DELETE', body });
    expect(await remove()).toMatchObject({ status: 409, data: { code: 'conflict', problem: 'last_sign_in' } });
    await jar.send(`${service.url}/api/v1/user/password`, { method: 'PUT', body: { new_password: USER_PASSWORD } });
    expect((await remove()).status).toBe(200);
    const rows = await withDatabase(service, (db) =>
      db.read
        .selectFrom('identities')
        .select('id')
        .where('user_id', '=', userId ?? 0)
        .execute(),
    );
    expect(rows).toEqual([]);
  });
});

it('is closed to strangers, tokens and other sites', async () => {
  const token = { authorization: `Bearer ${await bea.token('full')}` };
  for (const [method, path, body] of [
    ['GET', LINK, undefined],
    ['POST', LINK, {}],
    ['DELETE', `${LINK}/1`, undefined],
  ] as const) {
    expect(await rawRequest(`${service.url}${path}`, { method, body })).toMatchObject({ status: 401, setCookies: [] });
    expect(await rawRequest(`${service.url}${path}`, { method, body, headers: token })).toMatchObject({ status: 403, code: 'forbidden' });
    if (method === 'GET') continue;
    const headers = { cookie: bea.cookie, origin: 'https://evil.example' };
    expect(await rawRequest(`${service.url}${path}`, { method, body, headers })).toMatchObject({ status: 403, code: 'cross_site' });
  }
});

it('needs no password for an account that has none', async () => {
  await using desktop = await startTestService();
  const { name, value } = await desktop.openOwnerSession('ada');
  const admin = signedIn(desktop, `${name}=${value}`);
  await signOnWith(admin, provider, { enabled: false });
  await withDatabase(desktop, (db) => db.as('job').write((queries) => queries.updateTable('oidc_providers').set({ enabled: 1 }).execute()));
  await desktop.restart();
  expect(await admin.client.call(linkSignOn, { body: {} })).toMatchObject({ url: expect.stringContaining(provider.issuer) });
});

async function newSession(user: typeof bea): Promise<SignedIn> {
  const response = await rawRequest(`${service.url}/api/v1/auth/login`, {
    method: 'POST',
    body: { login: user === bea ? 'bea' : OWNER.username, password: USER_PASSWORD },
  });
  return signedIn(service, response.setCookies[0]?.split(';')[0] ?? '');
}
