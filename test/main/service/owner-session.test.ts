import type { Cookie, CookiesSetDetails } from 'electron';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { getSession } from '#api/auth.ts';
import { createClient } from '#api/client.ts';
import type { ServiceStatus } from '#api/desktop/service.ts';
import { createOwnerSession } from '#main/service/owner-session.ts';
import { startTestService, type TestService } from '#test/helpers/service.ts';

/** The cookie store of a window. */
class CookieJar {
  readonly kept = new Map<string, CookiesSetDetails>();

  async get(): Promise<Cookie[]> {
    return [...this.kept.values()].map(({ name = '', value = '' }) => ({ name, value, sameSite: 'lax' }));
  }

  async set(details: CookiesSetDetails) {
    this.kept.set(details.name ?? '', details);
  }
}

let service: TestService;
let jar: CookieJar;
let opened: number;
let listeners: ((status: ServiceStatus) => void)[];

beforeEach(async () => {
  service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  jar = new CookieJar();
  opened = 0;
  listeners = [];
});

function owner() {
  return createOwnerSession({
    service: {
      status: () => ({ state: 'running', url: service.url, linkAddress: service.linkAddress }),
      onStatus(listener) {
        listeners.push(listener);
        return () => undefined;
      },
      async openSession(username) {
        opened += 1;
        const { name, value, expires } = await service.openOwnerSession(username);
        return { name, value, expires: expires.toISOString() };
      },
    },
    cookies: jar,
    username: 'ada',
  });
}

async function whoIs(cookie: string) {
  return (await createClient({ baseUrl: service.url }).call(getSession, { headers: { cookie } })).user;
}

test("creates the owner and signs in; the page's scripts can't read the cookie", async () => {
  const { url, cookie } = await owner().forService();
  expect(url).toBe(service.url);
  expect(await whoIs(cookie)).toMatchObject({ username: 'ada', is_owner: true, has_password: false });
  expect([...jar.kept.values()]).toEqual([
    expect.objectContaining({ url: service.url, httpOnly: true, sameSite: 'lax', expirationDate: expect.any(Number) }),
  ]);
});

test('shares one session between concurrent requests', async () => {
  const session = owner();
  const [one, other] = await Promise.all([session.forService(), session.forService()]);
  expect(one.cookie).toBe(other.cookie);
  expect(opened).toBe(1);
});

test("reuses the window's session at the next start", async () => {
  const { cookie } = await owner().forService();
  expect((await owner().forService()).cookie).toBe(cookie);
  expect(opened).toBe(1);
});

test('replaces an invalid session at the next start', async () => {
  await owner().forService();
  const [kept] = [...jar.kept.values()];
  await jar.set({ url: service.url, name: kept?.name, value: 'x'.repeat(43) });
  expect(await whoIs((await owner().forService()).cookie)).toMatchObject({ is_owner: true });
  expect(opened).toBe(2);
});

test('uploads as the owner even after a sign-out in the window', async () => {
  const session = owner();
  await session.forService();
  jar.kept.clear();
  expect(await whoIs((await session.forService()).cookie)).toMatchObject({ is_owner: true });
});

test("replaces a session that the service doesn't know after a restart", async () => {
  const session = owner();
  await session.forService();
  const [kept] = [...jar.kept.values()];
  await jar.set({ url: service.url, name: kept?.name, value: 'x'.repeat(43) });
  for (const notify of listeners) notify({ state: 'starting' });
  expect(await whoIs((await session.forService()).cookie)).toMatchObject({ is_owner: true });
  expect(opened).toBe(2);
});

test('retries after a failure instead of caching it', async () => {
  const failing = createOwnerSession({
    service: {
      status: () => ({ state: 'running', url: service.url, linkAddress: service.linkAddress }),
      onStatus: () => () => undefined,
      async openSession() {
        opened += 1;
        throw new Error(`refused ${opened}`);
      },
    },
    cookies: jar,
    username: 'ada',
  });
  await expect(failing.forService()).rejects.toThrow('refused 1');
  await expect(failing.forService()).rejects.toThrow('refused 2');
});
