import { expect, it } from 'vitest';
import type { ErrorDetails } from '#api/errors.ts';
import { setUp, startTestService } from '#test/helpers/service.ts';

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
  const code = 'invalid_request';
  expect(await create({ password: 'short' })).toEqual({ code, field: 'password', problem: 'too_short', limit: 10 });
  expect(await create({ username: ' ' })).toEqual({ code, field: 'username', problem: 'missing' });
  expect(await create({ username: 'a b' })).toEqual({ code, field: 'username', problem: 'bad_username' });
  expect(await create({ username: 'x'.repeat(65) })).toEqual({ code, field: 'username', problem: 'too_long', limit: 64 });
  expect(await create({ email: 'nobody' })).toEqual({ code, field: 'email', problem: 'not_email' });
  expect(await create({ role: 'king' })).toEqual({ code, field: 'role' });
  expect(await problemOf('POST', '/admin/webhooks', { name: 'x', url: 'https://example.org', events: [] })).toMatchObject({
    field: 'events',
    problem: 'missing',
  });
  expect(await problemOf('PATCH', '/images/abcdefABCDEF', { max_views: -1 })).toMatchObject({ problem: 'too_small', limit: 0 });
  expect(await webhook('nonsense')).toMatchObject({ code: 'url_not_allowed', field: 'url', problem: 'not_web_address' });
  expect(await webhook('http://127.0.0.1/')).toMatchObject({ code: 'url_not_allowed', field: 'url', problem: 'private_address' });
  expect(await problemOf('PATCH', '/admin/settings', { base_url: 'https://pics.example.org/path' })).toEqual({
    code,
    field: 'base_url',
    problem: 'not_origin',
  });
  expect(await problemOf('PUT', '/admin/oidc', { enabled: false, issuer: 'http://login.example.org', client_id: 'pixdock' })).toEqual({
    code,
    field: 'issuer',
    problem: 'insecure_issuer',
  });
  expect(await problemOf('PUT', '/user/password', { new_password: 'long enough now' })).toMatchObject({
    field: 'current_password',
    problem: 'missing',
  });
});
