import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { changeUser } from '#api/admin/users.ts';
import { APP_USER_AGENT } from '#api/auth/app-session.ts';
import { getSession } from '#api/auth/auth.ts';
import { getProfile, listSessions } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import type { ServiceStatus } from '#api/desktop/service.ts';
import { type Access, asAccount } from '#main/service/account.ts';
import { createLocalAccount, LOOK_AGAIN_AFTER_MS } from '#main/service/local-account.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

let service: TestService;
let owner: SignedIn;
let status: ServiceStatus;
let preferences: Preferences;
let clock: FakeClock;
let opened: number;
let listeners: Set<(status: ServiceStatus) => void>;
let tellPreferences: (preferences: Preferences) => void;

beforeEach(async () => {
  service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  owner = await setUp(service);
  status = { state: 'running', url: service.url, linkAddress: service.linkAddress };
  preferences = { ...DEFAULT_PREFERENCES };
  clock = new FakeClock();
  opened = 0;
  listeners = new Set();
});

function localAccount() {
  return createLocalAccount({
    service: {
      status: () => status,
      onStatus(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      async openAccount(userId, username) {
        opened += 1;
        const session = await service.openAccountSession(userId, username);
        if (!session) return null;
        const { name, value, expires, user } = session;
        return { cookie: { name, value, expires: expires.toISOString() }, user };
      },
      listAccounts: () => service.listAccounts(),
    },
    preferences: {
      get: () => preferences,
      onChange(listener) {
        tellPreferences = listener;
      },
    },
    username: 'ada',
    clock,
  });
}

function become(next: ServiceStatus) {
  status = next;
  for (const listener of [...listeners]) listener(next);
}

function choose(account: number | null) {
  preferences = { ...preferences, account };
  tellPreferences(preferences);
}

async function whoIs({ url, headers }: Access) {
  return (await createClient({ baseUrl: url }).call(getSession, { headers })).user?.username;
}

const profile = ({ url, headers }: Access) => createClient({ baseUrl: url }).call(getProfile, { headers });

async function appSessions({ client }: SignedIn) {
  const { items } = await client.call(listSessions, { query: {} });
  return items.filter(({ user_agent }) => user_agent === APP_USER_AGENT);
}

test('is the owner until another account is chosen', async () => {
  const bob = await addUser(service, 'bob');
  const account = localAccount();
  const access = await account.access();
  expect(await whoIs(access)).toBe('ada');
  expect(access.linkAddress).toBe(service.linkAddress);
  expect([account.name(), account.state()]).toEqual(['ada', 'ready']);
  const ownId = account.id();
  choose(bob.id);
  expect(account.id()).toBe(`local:${bob.id}`);
  expect(await whoIs(await account.access())).toBe('bob');
  expect(account.name()).toBe('bob');
  choose(null);
  await account.access();
  expect(account.id()).toBe(ownId);
});

test('shares one session between concurrent requests, and shows it once however often the app starts', async () => {
  const account = localAccount();
  await Promise.all([account.access(), account.access(), account.access()]);
  expect(opened).toBe(1);
  await localAccount().access();
  expect(await appSessions(owner)).toHaveLength(1);
});

test('renews a session that was ended, once for all requests that notice', async () => {
  const account = localAccount();
  await account.access();
  for (const { id } of await appSessions(owner)) await owner.fetch(`/api/v1/user/sessions/${id}`, { method: 'DELETE' });
  const profiles = await Promise.all([1, 2, 3].map(() => asAccount(account, profile)));
  expect(profiles.map(({ username }) => username)).toEqual(['ada', 'ada', 'ada']);
  expect(opened).toBe(2);
});

test('waits while the account is disabled, and continues when it is enabled again', async () => {
  const bob = await addUser(service, 'bob');
  const account = localAccount();
  choose(bob.id);
  await account.access();
  await owner.client.call(changeUser, { params: { id: bob.id }, body: { disabled: true } });
  await expect(asAccount(account, profile)).rejects.toMatchObject({ text: 'accountMissing' });
  expect([account.missing(), account.state()]).toEqual([true, 'waiting']);
  await owner.client.call(changeUser, { params: { id: bob.id }, body: { disabled: false } });
  const ready = new Promise<void>((resolve) => account.onChange(() => account.state() === 'ready' && resolve()));
  clock.pass(LOOK_AGAIN_AFTER_MS);
  await ready;
  expect((await asAccount(account, profile)).username).toBe('bob');
});

test('reports an account that no longer exists', async () => {
  preferences = { ...preferences, account: 4711 };
  const account = localAccount();
  await expect(account.access()).rejects.toMatchObject({ text: 'accountMissing' });
  expect(account.missing()).toBe(true);
  expect(await account.choices()).toMatchObject([{ username: 'ada', is_owner: true, disabled: false }]);
});

test('waits while the service is down, and opens a new session when it is back', async () => {
  const account = localAccount();
  await account.access();
  become({ state: 'starting' });
  expect(account.state()).toBe('waiting');
  const access = account.access();
  become({ state: 'running', url: service.url, linkAddress: service.linkAddress });
  expect(await whoIs(await access)).toBe('ada');
  expect(opened).toBe(2);
});
