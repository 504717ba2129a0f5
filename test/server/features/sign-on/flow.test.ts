import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJar, type Jar } from '#test/helpers/network/browser-jar.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, START, signOn, signOnWith, throughProvider } from '#test/helpers/sign-on/sign-on.ts';

const PEOPLE = { mia: { email: 'mia@example.net', email_verified: true } };
const FAILED = '/login?error=oidc_failed';
const UNREACHABLE = '/login?error=oidc_unreachable';

const { service, owner } = await startFileService();
const provider = await startOidcProvider([`${service.url}${CALLBACK}`], { people: PEOPLE });
beforeEach(async () => {
  await signOnWith(owner, provider);
  provider.requests.length = 0;
});
afterEach(() => vi.useRealTimers());
afterAll(() => provider.stop());

const isSignedIn = async (jar: Jar) => (await jar.send(`${service.url}/api/v1/auth/session`)).data.user !== null;

/** The cookies of the sign-ons in progress. */
const flowsOf = (jar: Jar, url: string) => jar.cookies(url).filter(({ name }) => name.startsWith('pixdock_sign_on'));

async function expectRefusal(jar: Jar, url: string, location = FAILED) {
  const response = await jar.send(url);
  expect({ status: response.status, location: response.header('location') }).toEqual({ status: 302, location });
  expect(response.setCookies.filter((cookie) => cookie.startsWith('pixdock_session='))).toEqual([]);
  expect(await isSignedIn(jar)).toBe(false);
}

describe('starting the sign-on', () => {
  it('requests a code from the provider with a new PKCE challenge, state and nonce each time', async () => {
    const [first, second] = await Promise.all([rawRequest(`${service.url}${START}`), rawRequest(`${service.url}${START}`)]);
    expect(first.status).toBe(302);
    const [authorization, again] = [first, second].map((response) => new URL(response.header('location') ?? ''));
    expect(authorization?.origin).toBe(provider.issuer);
    expect(Object.fromEntries(authorization?.searchParams ?? [])).toMatchObject({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: `${service.url}${CALLBACK}`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(authorization?.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(authorization?.searchParams.get(name)).not.toBe(again?.searchParams.get(name));
    }
    expect(authorization?.href).not.toContain(encodeURIComponent(provider.clientSecret));
  });

  it('keeps its state in a short-lived encrypted cookie', async () => {
    const { setCookies, header } = await rawRequest(`${service.url}${START}`);
    expect(setCookies).toHaveLength(1);
    expect(setCookies[0]).toMatch(/^pixdock_sign_on_[\w-]{16}=[\w-]+; Path=\/api\/v1\/auth\/oidc; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const expires = Date.parse(/Expires=([^;]+)/.exec(setCookies[0] ?? '')?.[1] ?? '');
    expect(Math.abs(expires - Date.now() - 600_000)).toBeLessThan(10_000);
    const sealed = Buffer.from(/=([\w-]+)/.exec(setCookies[0] ?? '')?.[1] ?? '', 'base64url').toString('latin1');
    expect(sealed).not.toContain(new URL(header('location') ?? '').searchParams.get('state'));
    expect(header('cache-control')).toBe('no-store');
  });

  it('redirects to the link address first, since the provider redirects back to it', async () => {
    const { port } = new URL(service.url);
    const elsewhere = await rawRequest(`${service.url}${START}?next=/albums`, { headers: { host: `localhost:${port}` } });
    expect(elsewhere.header('location')).toBe(`${service.url}${START}?moved=1&next=%2Falbums`);
    expect(elsewhere.setCookies).toEqual([]);
    // Only once: a proxy that hides the address would cause a redirect loop.
    const moved = await rawRequest(`${service.url}${START}?moved=1`, { headers: { host: `localhost:${port}` } });
    expect(new URL(moved.header('location') ?? '').origin).toBe(provider.issuer);
  });

  it('reports an unreachable provider on the sign-in page', async () => {
    const gone = await startOidcProvider([`${service.url}${CALLBACK}`]);
    await signOnWith(owner, gone);
    await gone.stop();
    await expectRefusal(createJar(), `${service.url}${START}`, UNREACHABLE);
  });

  it.each([{ enabled: false }, { client_id: '' }, { issuer: '' }])('is unavailable with %j', async (changes) => {
    await signOnWith(owner, provider, changes);
    expect(await rawRequest(`${service.url}${START}`)).toMatchObject({ status: 404, code: 'not_found', setCookies: [] });
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)', ''])(
    'refuses a redirect to another site: %j',
    async (next) => {
      const response = await rawRequest(`${service.url}${START}?${new URLSearchParams({ next })}`);
      expect(response).toMatchObject({ status: 400, code: 'invalid_request', setCookies: [] });
    },
  );
});

describe('the callback', () => {
  it('redirects to the requested page', async () => {
    const jar = createJar();
    const back = await throughProvider(service, jar, 'mia', `${service.url}${START}?next=${encodeURIComponent('/?picture=abcdefghijkl')}`);
    const response = await jar.send(back);
    expect(response.header('location')).toBe('/?picture=abcdefghijkl');
    expect(response.setCookies.join()).toMatch(/pixdock_session=[\w-]{43}; .*HttpOnly; SameSite=Lax/);
    expect(await isSignedIn(jar)).toBe(true);
  });

  it('refuses a wrong state without contacting the provider', async () => {
    for (const state of ['x'.repeat(43), '']) {
      const jar = createJar();
      const back = new URL(await throughProvider(service, jar, 'mia'));
      back.searchParams.set('state', state);
      provider.requests.length = 0;
      await expectRefusal(jar, back.href);
      expect(provider.requests).not.toContain('POST /token');
    }
  });

  it('refuses an ID token with a wrong nonce', async () => {
    const jar = createJar();
    const start = await jar.send(`${service.url}${START}`);
    const authorization = new URL(jar.next(start, service.url));
    authorization.searchParams.set('nonce', 'another-nonce');
    await expectRefusal(jar, await throughProvider(service, jar, 'mia', authorization.href));
    expect(provider.requests).toContain('POST /token');
  });

  it('refuses a code that was requested with another verifier', async () => {
    const jar = createJar();
    const authorization = new URL(jar.next(await jar.send(`${service.url}${START}`), service.url));
    authorization.searchParams.set('code_challenge', 'A'.repeat(43));
    await expectRefusal(jar, await throughProvider(service, jar, 'mia', authorization.href));
  });

  it('refuses another browser, so that a link can’t sign in a victim as another user', async () => {
    const back = await throughProvider(service, createJar(), 'mia');
    await expectRefusal(createJar(), back);
    const victim = createJar();
    await victim.send(`${service.url}${START}`);
    await expectRefusal(victim, back);
  });

  it('works once', async () => {
    const jar = createJar();
    const back = await throughProvider(service, jar, 'mia');
    const [kept] = flowsOf(jar, back);
    expect((await jar.send(back)).header('location')).toBe('/');
    const thief = createJar();
    await expectRefusal(thief, back);
    thief.setCookie(back, kept?.name ?? '', kept?.value ?? '');
    await expectRefusal(thief, back);
  });

  it('expires after ten minutes', async () => {
    const jar = createJar();
    const back = await throughProvider(service, jar, 'mia');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    provider.requests.length = 0;
    const { status, headers } = await fetch(back, {
      redirect: 'manual',
      headers: {
        cookie: flowsOf(jar, back)
          .map(({ name, value }) => `${name}=${value}`)
          .join('; '),
      },
    });
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: FAILED });
    expect(provider.requests).toEqual([]);
  });

  it.each(['', 'x', 'A'.repeat(200), '%00', '.'.repeat(3000)])('refuses a forged cookie: %.20j', async (value) => {
    const { setCookies, header } = await rawRequest(`${service.url}${START}`);
    const name = setCookies[0]?.split('=')[0];
    const state = new URL(header('location') ?? '').searchParams.get('state');
    const response = await rawRequest(`${service.url}${CALLBACK}?code=x&state=${state}`, { headers: { cookie: `${name}=${value}` } });
    expect(response.header('location')).toBe(FAILED);
    const started = await rawRequest(`${service.url}${START}`, { headers: { cookie: `${name}=${value}` } });
    expect(new URL(started.header('location') ?? '').origin).toBe(provider.issuer);
  });

  it('reports that the user declined at the provider', async () => {
    const jar = createJar();
    const authorization = jar.next(await jar.send(`${service.url}${START}`), service.url);
    const page = jar.next(await jar.send(authorization), authorization);
    const aborted = jar.next(await jar.send(`${page}/abort`), page);
    await expectRefusal(jar, jar.next(await jar.send(aborted), aborted));
  });

  it('reports that the provider became unreachable in between', async () => {
    const fading = await startOidcProvider([`${service.url}${CALLBACK}`], { people: PEOPLE });
    await signOnWith(owner, fading);
    const jar = createJar();
    const back = await throughProvider(service, jar, 'mia');
    await fading.stop();
    await expectRefusal(jar, back, UNREACHABLE);
  });

  it('refuses to continue when an admin has changed the provider in between', async () => {
    await using second = await startOidcProvider([`${service.url}${CALLBACK}`], { people: PEOPLE });
    const jar = createJar();
    const back = await throughProvider(service, jar, 'mia');
    await signOnWith(owner, second);
    second.requests.length = 0;
    await expectRefusal(jar, back);
    expect(second.requests).not.toContain('POST /token');
  });

  it('refuses repeated and malformed parameters', async () => {
    expect((await rawRequest(`${service.url}${CALLBACK}?state=a&state=b`)).status).toBe(400);
    expect((await rawRequest(`${service.url}${CALLBACK}`)).header('location')).toBe(FAILED);
    expect((await rawRequest(`${service.url}${CALLBACK}`, { method: 'POST' })).status).toBe(405);
  });
});

describe('several tabs', () => {
  const beginIn = async (jar: Jar, next = '/') =>
    jar.next(await jar.send(`${service.url}${START}?${new URLSearchParams({ next })}`), service.url);
  const locationOf = async (jar: Jar, url: string) => (await jar.send(url)).header('location');

  it('sign in independently of each other, in any order', async () => {
    const jar = createJar();
    const [first, second] = [await beginIn(jar, '/albums'), await beginIn(jar, '/trash')];
    const backs = [await throughProvider(service, jar, 'mia', first), await throughProvider(service, jar, 'mia', second)];
    expect(await locationOf(jar, backs[1] ?? '')).toBe('/trash');
    expect(await isSignedIn(jar)).toBe(true);
    expect(await locationOf(jar, backs[0] ?? '')).toBe('/albums');
    expect(await isSignedIn(jar)).toBe(true);
    expect(flowsOf(jar, backs[0] ?? '')).toEqual([]);
  });

  it('end in the app where their sign-in is over and the user is signed in', async () => {
    const jar = createJar();
    const back = await throughProvider(service, jar, 'mia');
    expect(await locationOf(jar, back)).toBe('/');
    // The browser's back button, or a tab of yesterday.
    expect(await locationOf(jar, back)).toBe('/');
    expect(await locationOf(jar, `${service.url}${CALLBACK}?error=access_denied&state=x`)).toBe('/');
    expect(await isSignedIn(jar)).toBe(true);
    const { cookie } = owner;
    const response = await rawRequest(`${service.url}${CALLBACK}?code=x&state=y`, { headers: { cookie } });
    expect(response.header('location')).toBe('/');
    // A token signs no browser in.
    const headers = { authorization: `Bearer ${await owner.token('full')}` };
    expect((await rawRequest(`${service.url}${CALLBACK}?code=x&state=y`, { headers })).header('location')).toBe(FAILED);
  });

  it('keep the latest eight sign-ons, in few bytes', async () => {
    const jar = createJar();
    const starts: string[] = [];
    for (let number = 0; number < 12; number++) starts.push(await beginIn(jar));
    expect(flowsOf(jar, `${service.url}${CALLBACK}`)).toHaveLength(8);
    await expectRefusal(jar, await throughProvider(service, jar, 'mia', starts[3]));
    expect(await locationOf(jar, await throughProvider(service, jar, 'mia', starts[4]))).toBe('/');
    // A proxy may refuse longer headers.
    for (let number = 0; number < 8; number++) await beginIn(jar, `/${'x'.repeat(1900)}`);
    const flows = flowsOf(jar, `${service.url}${CALLBACK}`);
    expect(flows.length).toBeGreaterThan(0);
    expect(flows.map(({ name, value }) => `${name}=${value}`).join('; ').length).toBeLessThan(4096);
    expect(await locationOf(jar, await throughProvider(service, jar, 'mia', await beginIn(jar, '/albums')))).toBe('/albums');
  });
});

describe('different providers', () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'work with a client registered for %s',
    async (token_endpoint_auth_method) => {
      await using other = await startOidcProvider([`${service.url}${CALLBACK}`], {
        people: PEOPLE,
        client: { token_endpoint_auth_method },
      });
      await signOnWith(owner, other);
      expect(await signOn(service, 'mia')).toMatchObject({ location: '/' });
    },
  );

  it('lead to an error message, not a server error, for a wrong secret', async () => {
    await signOnWith(owner, provider, { client_secret: 'wrong' });
    expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  });

  it('work without userinfo where the ID token leaves nothing to it', async () => {
    await using other = await startOidcProvider([`${service.url}${CALLBACK}`], {
      people: { nina: { email: 'nina@example.net', email_verified: true, preferred_username: 'nina' } },
      configuration: { conformIdTokenClaims: false },
    });
    await signOnWith(owner, other);
    expect(await signOn(service, 'nina')).toMatchObject({ location: '/', username: 'nina' });
    expect(other.requests).not.toContain('GET /me');
  });

  it('work without a userinfo endpoint', async () => {
    await using other = await startOidcProvider([`${service.url}${CALLBACK}`], {
      people: { nora: { email: 'nora@example.net' } },
      configuration: { conformIdTokenClaims: false },
      changes: { '/.well-known/openid-configuration': ({ userinfo_endpoint: _, ...document }) => document },
    });
    await signOnWith(owner, other);
    expect(await signOn(service, 'nora')).toMatchObject({ location: '/', username: 'nora' });
  });

  it.each([
    ['is broken, unless only the name is missing', { '/me': () => 'not JSON' }],
    ['describes someone else, unless only the name is missing', { '/me': (body: object) => ({ ...body, sub: 'someone else' }) }],
    ['describes nobody, unless only the name is missing', { '/me': ({ sub: _, ...body }: Record<string, unknown>) => body }],
  ])('sign nobody in where userinfo %s', async (_name, changes) => {
    await using other = await startOidcProvider([`${service.url}${CALLBACK}`], {
      people: { olaf: { email: 'olaf@example.net' }, olga: { email: 'olga@example.net', email_verified: true } },
      configuration: { conformIdTokenClaims: false },
      changes,
    });
    await signOnWith(owner, other);
    expect(await signOn(service, 'olaf')).toMatchObject({ location: FAILED, username: undefined });
    expect(await signOn(service, 'olga')).toMatchObject({ location: '/', username: 'olga' });
  });

  it.each(['/', '/realms/main/'])('work with an issuer that ends with a slash: %s', async (path) => {
    await using other = await startOidcProvider([`${service.url}${CALLBACK}`], { people: PEOPLE, path });
    await signOnWith(owner, { ...other, issuer: other.issuer.replace(/\/$/, '') });
    expect(await signOn(service, 'mia')).toMatchObject({ location: '/' });
  });
});
