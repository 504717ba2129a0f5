import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { OWNER, startTestService, type TestService } from '#test/helpers/service/service.ts';

const machine = hostname().replace(/\.local$/, '');

describe('the Host header', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ baseUrl: 'https://pics.example.org', allowedHosts: ['nas.home'] });
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const under = (host: string, path = '/api/v1/config') => rawRequest(`${service.url}${path}`, { headers: { host } });

  it.each([
    '127.0.0.1',
    '127.0.0.1:7410',
    '192.168.1.20:7410',
    '[::1]:7410',
    '[fe80::1]',
    'localhost:7410',
    'LOCALHOST',
    machine,
    `${machine}.local:7410`,
    'pics.example.org',
    'nas.home:7410',
    'NAS.home',
  ])('may be %s', async (host) => {
    expect((await under(host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:7410',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'pics.example.org.evil.example',
    'evil-pics.example.org',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'rebind.127.0.0.1.nip.io',
    'xn--localhost-9za',
  ])('may not be %s, anywhere', async (host) => {
    for (const path of ['/api/v1/config', '/', '/healthz', '/i/abcdefghijkl.jpg', '/api/v1/openapi.json']) {
      expect(await under(host, path)).toMatchObject({ status: 421, data: { code: 'unknown_host', retry: 'never' } });
    }
  });

  it('may be a name that is allowed later, as long as it is', async () => {
    await using other = await startTestService({ allowedHosts: ['nas.home'] });
    const statusUnder = async (host: string) => (await rawRequest(`${other.url}/api/v1/config`, { headers: { host } })).status;
    other.allowHosts(['pixdock.local']);
    expect([await statusUnder('pixdock.local'), await statusUnder('nas.home')]).toEqual([200, 421]);
    other.allowHosts([]);
    expect(await statusUnder('pixdock.local')).toBe(421);
  });

  it('rejects a foreign name before setup', async () => {
    const response = await rawRequest(`${service.url}/api/v1/setup`, {
      method: 'POST',
      headers: { host: 'evil.example', origin: 'http://evil.example' },
      body: { ...OWNER, setup_code: service.setupCode },
    });
    expect(response).toMatchObject({ status: 421, setCookies: [] });
  });
});

const setup = (service: TestService, headers: Record<string, string>) =>
  rawRequest(`${service.url}/api/v1/setup`, { method: 'POST', headers, body: { ...OWNER, setup_code: service.setupCode } });

/** The address that the only session was opened from, as listed to its owner. */
async function addressSeen(service: TestService, cookie: string | undefined) {
  const headers = { cookie: cookie?.split(';')[0] ?? '' };
  const { data } = await rawRequest(`${service.url}/api/v1/user/sessions`, { headers });
  return (data.items as { address: string }[]).map(({ address }) => address);
}

describe('forwarded headers', () => {
  const FORWARDED = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pics.example.org' };

  it('are trusted from a configured proxy', async () => {
    await using service = await startTestService({ trustProxy: ['127.0.0.1'], baseUrl: 'https://pics.example.org' });
    const { setCookies } = await setup(service, { ...FORWARDED, origin: 'https://pics.example.org' });
    expect(setCookies[0]).toMatch(/; Secure/);
    expect(await addressSeen(service, setCookies[0])).toEqual(['203.0.113.9']);
    const rebound = { ...FORWARDED, 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' };
    expect((await rawRequest(`${service.url}/api/v1/config`, { headers: rebound })).status).toBe(421);
  });

  it('don’t hide a foreign Host, which a rebound page can’t change', async () => {
    await using service = await startTestService({
      trustProxy: ['127.0.0.1'],
      baseUrl: 'https://pics.example.org',
      allowedHosts: ['backend'],
    });
    const statusOf = async (host: string, path: string) =>
      (await rawRequest(`${service.url}${path}`, { headers: { ...FORWARDED, host } })).status;
    for (const path of ['/api/v1/config', '/healthz', '/i/abcdefghijkl.jpg']) expect(await statusOf('evil.example', path)).toBe(421);
    for (const host of ['pics.example.org', '127.0.0.1:7410', 'backend:7410']) expect(await statusOf(host, '/api/v1/config')).toBe(200);
  });

  it('are trusted for one proxy only: entries added by the client are ignored', async () => {
    await using service = await startTestService({ trustProxy: ['127.0.0.1'] });
    const { setCookies } = await setup(service, { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' });
    expect(await addressSeen(service, setCookies[0])).toEqual(['203.0.113.9']);
  });

  it.each([
    ['no proxy is', []],
    ['another one is', ['10.9.9.9']],
  ])('are not trusted when %s configured', async (_name, trustProxy) => {
    await using service = await startTestService({ trustProxy });
    const { status, setCookies } = await setup(service, { ...FORWARDED, 'x-forwarded-host': 'evil.example' });
    expect(status).toBe(200);
    expect(setCookies[0]).not.toMatch(/; Secure/);
    expect(await addressSeen(service, setCookies[0])).toEqual(['127.0.0.1']);
  });
});
