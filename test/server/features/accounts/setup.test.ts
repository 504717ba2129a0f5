import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getConfig } from '#api/config.ts';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import { type RawOptions, rawRequest } from '#test/helpers/network/raw-request.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { cookieOf, OWNER, signedIn, startTestService, type TestService } from '#test/helpers/service/service.ts';

const setup = (service: TestService, headers: RawOptions['headers'] = {}, changes: object = {}) =>
  rawRequest(`${service.url}/api/v1/setup`, { method: 'POST', headers, body: { ...OWNER, ...changes } });

const countUsers = (service: TestService) =>
  withDatabase(service, async (db) => (await db.read.selectFrom('users').select('id').execute()).length);

const configOf = async (service: TestService, headers: RawOptions['headers'] = {}) =>
  (await rawRequest(`${service.url}/api/v1/config`, { headers })).data;

it('creates one owner from fifty concurrent requests, and signs that one in', async () => {
  await using service = await startTestService();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, number) => setup(service, {}, { username: `owner-${number}`, setup_code: service.setupCode })),
  );
  const created = responses.filter(({ status }) => status === 200);
  expect(created).toHaveLength(1);
  expect(created[0]?.data.user).toMatchObject({ role: 'admin', is_owner: true, email: OWNER.email, has_password: true });
  expect(created[0]?.setCookies.map((cookie) => cookie.split('=')[0])).toEqual(['pixdock_session', 'pixdock_device']);
  for (const refused of responses.filter(({ status }) => status !== 200)) {
    expect(refused.code).toBe('conflict');
    expect(refused.setCookies).toEqual([]);
  }
  expect(await countUsers(service)).toBe(1);
});

it('is closed after the first run, even with the code', async () => {
  await using service = await startTestService();
  const { setupCode } = service;
  expect((await setup(service, {}, { site_name: 'Harbour', setup_code: setupCode })).status).toBe(200);
  expect(await configOf(service)).toMatchObject({ setup_required: false, site_name: 'Harbour' });
  for (const changes of [{}, { setup_code: setupCode }, { username: 'mallory', email: 'mallory@example.org' }]) {
    expect((await setup(service, {}, changes)).code).toBe('conflict');
  }
  expect(await countUsers(service)).toBe(1);
  await service.restart();
  expect(service.setupCode).toBeUndefined();
  expect((await setup(service)).code).toBe('conflict');
});

it('has the same code after a restart', async () => {
  await using service = await startTestService();
  const { setupCode } = service;
  await service.restart();
  expect(service.setupCode).toBe(setupCode);
  expect((await setup(service, {}, { setup_code: setupCode })).status).toBe(200);
  await using another = await startTestService();
  expect(another.setupCode).not.toBe(setupCode);
});

describe('without the code', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  // A proxy that sets the Host of its target and adds no header is the same as none at all: see the first case.
  it.each([
    ['nothing that a proxy adds', {}],
    ['the Host localhost', { host: 'localhost' }],
    ['another Host', { host: '192.0.2.7' }],
    ['the machine’s own name', { host: hostname() }],
    ['X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
  ])('refuses a request with %s', async (_name, headers) => {
    expect(await configOf(service, headers)).toMatchObject({ setup_required: true });
    for (const setup_code of [undefined, '', 'AAAA-AAAA-AAAA', `${service.setupCode}X`]) {
      const response = await setup(service, headers, { setup_code });
      expect(response.code).toBe('forbidden');
      expect(response.setCookies).toEqual([]);
    }
    expect(await countUsers(service)).toBe(0);
  });

  it('refuses invalid fields and names them', async () => {
    for (const [field, value] of [
      ['username', 'two words'],
      ['username', 'a@b'],
      ['username', 'in\u200bvisible'],
      ['email', 'no-at-sign'],
      ['password', 'too short'],
      ['password', 12345678901],
    ] as const) {
      const response = await setup(service, {}, { [field]: value });
      expect(response).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(response.data.field).toBe(field);
    }
    expect(await countUsers(service)).toBe(0);
  });

  it('does not accept plain text as JSON', async () => {
    const response = await rawRequest(`${service.url}/api/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(OWNER),
    });
    expect(response.code).toBe('unsupported_media_type');
  });
});

describe.each<[string, Partial<ServiceConfig>]>([
  ['a trusted proxy is configured', { trustProxy: ['10.0.0.1'] }],
  ['a base URL elsewhere is configured', { baseUrl: 'https://pics.example.org' }],
  ['a base URL on the machine itself is configured', { baseUrl: 'http://localhost:7410' }],
])('when %s', (_name, options) => {
  it('requires the code, in upper or lower case and with any separators', async () => {
    await using service = await startTestService(options);
    expect((await setup(service)).code).toBe('forbidden');
    const typed = service.setupCode?.toLowerCase().replaceAll('-', ' ');
    expect((await setup(service, {}, { setup_code: typed })).status).toBe(200);
  });
});

it('works from another machine with the code, and sets a session cookie', async () => {
  await using service = await startTestService();
  const response = await fetch(`${service.url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
    body: JSON.stringify({ ...OWNER, setup_code: service.setupCode }),
  });
  const owner = signedIn(service, cookieOf(response));
  expect((await owner.client.call(getConfig, {})).setup_required).toBe(false);
  expect((await (await owner.fetch('/api/v1/auth/session')).json()).data.user.username).toBe(OWNER.username);
});
