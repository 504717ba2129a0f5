import type { Cookie, CookiesSetDetails } from 'electron';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { getSession } from '#api/auth/auth.ts';
import { createClient } from '#api/client.ts';
import type { ServiceStatus } from '#api/desktop/service.ts';
import { createWindowSession } from '#main/service/window-session.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startTestService, type TestService } from '#test/helpers/service/service.ts';

/** The cookie store of a window. */
class CookieJar {
  readonly kept = new Map<string, CookiesSetDetails>();
  refusals = 0;

  async get(): Promise<Cookie[]> {
    return [...this.kept.values()].map(({ name = '', value = '' }) => ({ name, value, sameSite: 'lax' }));
  }

  async set(details: CookiesSetDetails) {
    this.refusals -= 1;
    if (this.refusals >= 0) throw new Error('Failed to set cookie');
    this.kept.set(details.name ?? '', details);
  }

  header() {
    return [...this.kept.values()].map(({ name, value }) => `${name}=${value}`).join('; ');
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

function windowSession() {
  return createWindowSession({
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

async function signedIn() {
  return (await createClient({ baseUrl: service.url }).call(getSession, { headers: { cookie: jar.header() } })).user;
}

test("creates the owner and signs in; the page's scripts can't read the cookie", async () => {
  expect(await windowSession().forService()).toBe(service.url);
  expect(await signedIn()).toMatchObject({ username: 'ada', is_owner: true, has_password: false });
  expect([...jar.kept.values()]).toEqual([
    expect.objectContaining({ url: service.url, httpOnly: true, sameSite: 'lax', expirationDate: expect.any(Number) }),
  ]);
});

test('opens one session for concurrent requests, and keeps it at the next start', async () => {
  const session = windowSession();
  await Promise.all([session.forService(), session.forService()]);
  await windowSession().forService();
  expect(opened).toBe(1);
});

test('keeps another user signed in at the next start', async () => {
  const member = await addUser(service, 'bob');
  const [name = '', value = ''] = member.cookie.split('=');
  await jar.set({ url: service.url, name, value });
  await windowSession().forService();
  expect(await signedIn()).toMatchObject({ username: 'bob' });
  expect(opened).toBe(0);
});

test('replaces an invalid session at the next start', async () => {
  await windowSession().forService();
  const [kept] = [...jar.kept.values()];
  await jar.set({ url: service.url, name: kept?.name, value: 'x'.repeat(43) });
  await windowSession().forService();
  expect(await signedIn()).toMatchObject({ is_owner: true });
  expect(opened).toBe(2);
});

test('signs the owner in again on request, unless another user is signed in', async () => {
  const session = windowSession();
  await session.forService();
  jar.kept.clear();
  await session.signIn();
  expect(await signedIn()).toMatchObject({ is_owner: true });
  const [name = '', value = ''] = (await addUser(service, 'bob')).cookie.split('=');
  await jar.set({ url: service.url, name, value });
  await session.signIn();
  expect(await signedIn()).toMatchObject({ username: 'bob' });
});

test("replaces a session that the service doesn't know after a restart", async () => {
  const session = windowSession();
  await session.forService();
  const [kept] = [...jar.kept.values()];
  await jar.set({ url: service.url, name: kept?.name, value: 'x'.repeat(43) });
  for (const notify of listeners) notify({ state: 'starting' });
  await session.forService();
  expect(await signedIn()).toMatchObject({ is_owner: true });
});

test('retries after a failure instead of caching it', async () => {
  const failing = createWindowSession({
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

test('tries once more when the cookie store refuses, with the same session', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  jar.refusals = 1;
  await windowSession().forService();
  expect([opened, log.mock.calls.length]).toEqual([1, 1]);
  expect(await signedIn()).toMatchObject({ is_owner: true });
  jar.refusals = 2;
  jar.kept.clear();
  await expect(windowSession().forService()).rejects.toThrow('Failed to set cookie');
  log.mockRestore();
});
