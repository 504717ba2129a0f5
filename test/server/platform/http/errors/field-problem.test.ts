import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorDetails } from '#api/errors.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { OWNER, setUp, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

it('gives an invalid field a problem code that clients can translate', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const problemOf = async (method: string, path: string, body: object): Promise<ErrorDetails> => {
    const headers = { 'content-type': 'application/json' };
    const response = await owner.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    return ((await response.json()) as { data: ErrorDetails }).data;
  };
  const user = { username: 'dora', email: 'dora@example.org', password: 'long enough now' };
  const create = (part: object) => problemOf('POST', '/admin/users', { ...user, ...part });
  const webhook = (url: string) => problemOf('POST', '/admin/webhooks', { name: 'x', url, events: ['image.created'] });
  const refused = { code: 'invalid_request', retry: 'never' };
  expect(await create({ password: 'short' })).toEqual({ ...refused, field: 'password', problem: 'too_short', limit: 10 });
  expect(await create({ username: ' ' })).toEqual({ ...refused, field: 'username', problem: 'missing' });
  expect(await create({ username: 'a b' })).toEqual({ ...refused, field: 'username', problem: 'bad_username' });
  expect(await create({ username: 'x'.repeat(65) })).toEqual({ ...refused, field: 'username', problem: 'too_long', limit: 64 });
  expect(await create({ email: 'no-at-sign' })).toEqual({ ...refused, field: 'email', problem: 'not_email' });
  expect(await create({ role: 'king' })).toEqual({ ...refused, field: 'role' });
  expect(await problemOf('POST', '/admin/webhooks', { name: 'x', url: 'https://example.org', events: [] })).toMatchObject({
    field: 'events',
    problem: 'missing',
  });
  expect(await problemOf('PATCH', '/images/abcdefABCDEF', { max_views: -1 })).toMatchObject({ problem: 'too_small', limit: 0 });
  expect(await webhook('nonsense')).toMatchObject({ code: 'url_not_allowed', field: 'url', problem: 'not_web_address' });
  expect(await webhook('http://127.0.0.1/')).toMatchObject({ code: 'url_not_allowed', field: 'url', problem: 'private_address' });
  expect(await problemOf('PATCH', '/admin/settings', { base_url: 'https://pics.example.org/path' })).toEqual({
    ...refused,
    field: 'base_url',
    problem: 'not_origin',
  });
  expect(await problemOf('PUT', '/admin/oidc', { enabled: false, issuer: 'http://login.example.org', client_id: 'pixdock' })).toEqual({
    ...refused,
    field: 'issuer',
    problem: 'insecure_issuer',
  });
  const problem = async (...request: Parameters<typeof problemOf>) => {
    const { field, problem, limit } = await problemOf(...request);
    return [field, problem, ...(limit === undefined ? [] : [limit])];
  };
  const taken = { ...user, username: OWNER.username };
  expect(await problem('POST', '/admin/users', taken)).toEqual(['username', 'username_taken']);
  expect(await problem('POST', '/admin/users', { ...user, group_id: 99 })).toEqual(['group_id', 'not_available']);
  expect(await problem('PATCH', '/images/abcdefABCDEF', { max_views: 1.5 })).toEqual(['max_views', 'not_number']);
  expect(await problem('PATCH', '/images/abcdefABCDEF', { tags: Array.from({ length: 51 }, String) })).toEqual(['tags', 'too_many', 50]);
  const provider = { enabled: false, issuer: '', client_id: '' };
  for (const [part, ...expected] of [
    [{ issuer: 'login.example.org' }, 'issuer', 'not_service_address'],
    [{ allowed_email_domains: ['example.org', 'two words'] }, 'allowed_email_domains.1', 'not_domain'],
    [{ allowed_tenants: ['mine'] }, 'allowed_tenants.0', 'not_tenant'],
  ] as const)
    expect(await problem('PUT', '/admin/oidc', { ...provider, ...part })).toEqual(expected);
  const bucket = { endpoint: 'http://127.0.0.1:9', bucket: 'pictures', access_key_id: 'key', secret_access_key: 'secret' };
  for (const [part, ...expected] of [
    [{ endpoint: 'http://127.0.0.1:9/?a=b' }, 'config.endpoint', 'not_service_address'],
    [{ public_url: 'cdn' }, 'config.public_url', 'not_service_address'],
    [{ bucket: 'a..b' }, 'config.bucket', 'bad_bucket'],
    [{ prefix: '/pictures' }, 'config.prefix', 'bad_prefix'],
    [{ access_key_id: 'ASIA1' }, 'config.access_key_id', 'temporary_key'],
    [{ endpoint: 'http://127.0.0.1:9/s3', path_style: false }, 'config.path_style', 'needs_path_style'],
  ] as const)
    expect(await problem('POST', '/admin/policies/test', { config: { ...bucket, ...part } })).toEqual(expected);
  const backups = (folder: string) => problem('PUT', '/admin/backup/schedule', { schedule: { folder, every_hours: 24, keep: 7 } });
  expect(await backups('here')).toEqual(['schedule.folder', 'folder_not_absolute']);
  expect(await backups(service.dataDir)).toEqual(['schedule.folder', 'folder_in_use']);
  expect(await backups(`${service.dataDir}-parent/backups`)).toEqual(['schedule.folder', 'folder_missing']);
  const hosts = { fetch_allowed_hosts: ['two words'] };
  expect(await problem('PATCH', '/admin/settings', hosts)).toEqual(['fetch_allowed_hosts', 'not_host_or_network']);
  expect(await problem('PATCH', '/admin/groups/1', { max_max_views: 5, default_max_views: 6 })).toEqual([
    'default_max_views',
    'default_over_maximum',
  ]);
  expect(await problemOf('PUT', '/user/password', { new_password: 'long enough now' })).toMatchObject({
    field: 'current_password',
    problem: 'missing',
  });
});

it('describes invalid fields in plain sentences', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const messageOf = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await owner.fetch(`/api/v1${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
    return ((await response.json()) as { message: string }).message;
  };
  const keys = (length: number) => Array.from({ length }, () => 'abcdefABCDEF');
  expect(await messageOf('/albums', {})).toBe('The field “name” isn’t valid: it’s missing.');
  expect(await messageOf('/albums', { name: 5 })).toBe('The field “name” isn’t valid: it must be a string.');
  expect(await messageOf('/albums', { name: ' ' })).toBe('The field “name” isn’t valid: it’s empty.');
  expect(await messageOf('/albums', { name: 'x'.repeat(201) })).toBe('The field “name” isn’t valid: it must have at most 200 characters.');
  expect(await messageOf('/albums', { name: 'x', visibility: 'x' })).toBe(
    'The field “visibility” isn’t valid: it must be one of public, private.',
  );
  expect(await messageOf('/albums', [])).toBe('The request isn’t valid: it must be an object.');
  expect(await messageOf('/images?limit=abc')).toBe('The field “limit” isn’t valid: it must be a number.');
  expect(await messageOf('/images?limit=1.5')).toBe('The field “limit” isn’t valid: it must be a whole number.');
  expect(await messageOf('/images?limit=0')).toBe('The field “limit” isn’t valid: it must be at least 1.');
  expect(await messageOf('/images?limit=201')).toBe('The field “limit” isn’t valid: it must be at most 200.');
  expect(await messageOf('/images?from=spring')).toBe('The field “from” isn’t valid: it matches none of the allowed formats.');
  expect(await messageOf('/images/batch', { action: 'trash', keys: keys(501) })).toBe(
    'The field “keys” isn’t valid: it must have at most 500 entries.',
  );
  expect(await messageOf('/images/batch', { action: 'burn', keys: keys(1) })).toMatch(/^The field “action” isn’t valid: it /);
  expect(await messageOf('/upload/url', { url: 'https://example.org/a.png', taken_at: 'spring' })).toBe(
    'The field “taken_at” isn’t valid: it must be a time such as 2026-11-21T09:30:00Z.',
  );
});

describe('malformed', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** The response to bytes that no browser would send. */
  async function raw(request: string): Promise<string> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.end(request);
    return text(socket);
  }

  // Node would respond to these before the application sees them.
  it.each([
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no sense', 'HELLO\r\n\r\n'],
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('rejects a request with %s in the usual envelope and keeps running', async (_what, request) => {
    const response = await raw(request);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    for (const name of ['X-Content-Type-Options', 'Referrer-Policy', 'Content-Security-Policy', 'X-Request-Id'])
      expect(response).toMatch(new RegExp(`\r\n${name}: .+\r\n`, 'i'));
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({
      status: false,
      data: { code: 'invalid_request', retry: 'never' },
    });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  it('ignores an unknown expectation', async () => {
    const response = await rawRequest(`${service.url}/healthz`, { headers: { expect: 'something' } });
    expect(response.status).toBe(200);
  });

  it('keeps a response that clears a cookie out of shared caches', async () => {
    const token = await (await setUp(service)).token('upload');
    const { links } = await uploadImage(service, token, await photoJpeg({ seed: 77 }));
    for (const url of [links.url, links.thumbnail_url]) {
      expect((await fetch(url)).headers.get('cache-control')).toMatch(/^public/);
      const known = await fetch(url, { headers: { cookie: 'pixdock_session=nonsense' } });
      expect(known.headers.get('set-cookie')).toBeTruthy();
      expect(known.headers.get('cache-control')).toBe('private, no-store');
    }
  });
});
