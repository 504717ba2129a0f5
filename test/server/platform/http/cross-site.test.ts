import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawOptions, rawRequest } from '#test/helpers/network/raw-request.ts';
import { OWNER, type SignedIn, signedIn, startTestService, type TestService } from '#test/helpers/service/service.ts';

let fresh: TestService;
let service: TestService;
let owner: SignedIn;
beforeAll(async () => {
  [fresh, service] = await Promise.all([startTestService(), startTestService({ baseUrl: 'http://pics.example.org' })]);
  const response = await rawRequest(`${service.url}/api/v1/setup`, { method: 'POST', body: { ...OWNER, setup_code: service.setupCode } });
  owner = signedIn(service, response.setCookies[0]?.split(';')[0] ?? '');
});
afterAll(async () => {
  await fresh[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const FOREIGN: [string, RawOptions['headers']][] = [
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
  ['an Origin of null', { origin: 'null' }],
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
];

const FORM = { 'content-type': 'multipart/form-data; boundary=b' };
const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nx\r\n--b--\r\n';

/** Every kind of write, as a signed-in browser would send it. */
const WRITES: [string, string, unknown, RawOptions['headers']?][] = [
  ['POST', '/auth/login', { login: OWNER.username, password: OWNER.password }],
  ['POST', '/auth/invite', { invite: 'AAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['POST', '/auth/register', { username: 'eve', email: 'eve@example.org', password: 'long enough now' }],
  ['POST', '/auth/logout', undefined],
  ['POST', '/upload', form, FORM],
  ['POST', '/user/tokens', { name: 'stolen', scope: 'full' }],
  ['PATCH', '/user', { username: 'pwned' }],
  ['PUT', '/user/password', { current_password: OWNER.password, new_password: 'a brand new password' }],
  ['DELETE', '/user/sessions', undefined],
  ['DELETE', '/user', { current_password: 'wrong' }],
  ['PUT', '/admin/oidc', { enabled: false, issuer: '', client_id: '' }],
  ['POST', '/s/abcdefghijkl/unlock', { password: 'x' }],
  ['POST', '/no/such/address', {}],
];

describe.each(FOREIGN)('with %s', (_name, foreign) => {
  it.each(WRITES)('rejects %s %s', async (method, path, body, headers) => {
    const response = await rawRequest(`${service.url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...foreign, cookie: owner.cookie },
      body,
    });
    expect(response).toMatchObject({ status: 403, code: 'cross_site', setCookies: [] });
  });

  it('rejects the setup', async () => {
    const response = await rawRequest(`${fresh.url}/api/v1/setup`, {
      method: 'POST',
      headers: foreign ?? {},
      body: { ...OWNER, setup_code: fresh.setupCode },
    });
    expect(response).toMatchObject({ status: 403, code: 'cross_site', setCookies: [] });
  });

  it('allows reads', async () => {
    expect((await rawRequest(`${service.url}/api/v1/config`, { headers: foreign ?? {} })).status).toBe(200);
  });

  it('allows a bearer token, which no browser sends automatically', async () => {
    const token = await owner.token('full');
    const headers = { ...foreign, authorization: `Bearer ${token}` };
    const response = await rawRequest(`${service.url}/api/v1/user/preferences`, { method: 'PATCH', headers, body: { link_format: 'url' } });
    expect(response.status).toBe(200);
  });

  it('rejects an invalid token', async () => {
    const headers = { ...foreign, cookie: owner.cookie, authorization: 'Basic nonsense' };
    const response = await rawRequest(`${service.url}/api/v1/user`, { method: 'PATCH', headers, body: { username: 'pwned' } });
    expect(response.code).toBe('unauthorized');
  });
});

it.each([
  ['its own address', () => ({ origin: service.url })],
  ['the base URL', () => ({ origin: 'http://pics.example.org' })],
  ['its own address and Sec-Fetch-Site: same-origin', () => ({ origin: service.url, 'sec-fetch-site': 'same-origin' })],
  ['no browser’s headers at all', () => ({})],
])('allows a write with %s', async (_name, headers) => {
  const response = await rawRequest(`${service.url}/api/v1/user/preferences`, {
    method: 'PATCH',
    headers: { ...headers(), cookie: owner.cookie },
    body: { link_format: 'markdown' },
  });
  expect(response.status).toBe(200);
});

it('changes nothing through rejected requests', async () => {
  const { data } = await rawRequest(`${service.url}/api/v1/auth/session`, { headers: { cookie: owner.cookie } });
  expect(data.user).toMatchObject({ username: OWNER.username });
  const sessions = await (await owner.fetch('/api/v1/user/sessions')).json();
  expect(sessions.data.items).toHaveLength(1);
  const config = await rawRequest(`${fresh.url}/api/v1/config`);
  expect(config.data.setup_required).toBe(true);
});
