import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER, startTestService, type TestService } from '#test/helpers/service/service.ts';

const machine = hostname().replace(/\.local$/, '');

describe('the Host header', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ baseUrl: 'https://pics.example.org', allowedHosts: ['nas.home', 'FQDN.home.'] });
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
    'pics.example.org.',
    'PICS.Example.org.:443',
    'nas.home.:7410',
    'nas.home:',
    'localhost.',
    `${machine}.:7410`,
    '[0:0:0:0:0:0:0:1]:7410',
    '[::FFFF:192.168.1.20]',
    'fqdn.home',
    'fqdn.home.:7410',
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
    'pics.example.org..',
    '.pics.example.org',
    'evil.example.',
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

  it('is the same in every spelling, also to what compares it with other headers', async () => {
    await using other = await startTestService({ allowedHosts: ['nas.home'] });
    const { port } = new URL(other.url);
    const { setCookies } = await rawRequest(`${other.url}/api/v1/setup`, {
      method: 'POST',
      headers: { host: `NAS.home.:${port}`, origin: `http://nas.home.:${port}` },
      body: { ...OWNER, setup_code: other.setupCode },
    });
    const cookie = setCookies[0]?.split(';')[0] ?? '';
    const change = (host: string, origin: string) =>
      rawRequest(`${other.url}/api/v1/user/preferences`, {
        method: 'PATCH',
        headers: { cookie, host, origin },
        body: { link_format: 'url' },
      });
    for (const host of ['nas.home', 'NAS.HOME', 'nas.home.', 'nas.home:80'])
      expect([host, (await change(host, 'http://nas.home')).status]).toEqual([host, 200]);
    expect((await change('nas.home', 'http://nas.home.')).status).toBe(200);
    for (const origin of ['http://evil.nas.home', 'https://nas.home', 'http://nas.home:81'])
      expect([origin, (await change('nas.home.', origin)).status]).toEqual([origin, 403]);
  });

  it('may end in a dot where the link address does', async () => {
    await using other = await startTestService({ baseUrl: 'https://pics.example.org.' });
    const config = await rawRequest(`${other.url}/api/v1/config`, { headers: { host: 'pics.example.org' } });
    expect([config.status, config.data.base_url]).toEqual([200, 'https://pics.example.org']);
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

  it.each([
    ['198.51.100.21:40000', '198.51.100.21'],
    ['198.51.100.21', '198.51.100.21'],
    ['[2001:db8:1::1]:40000', '2001:db8:1::1'],
    ['[2001:DB8:1:0::1]', '2001:db8:1::1'],
    ['2001:0db8:0001:0000:0000:0000:0000:0001', '2001:db8:1::1'],
    ['2001:db8:1:2:3:4:5:6:40000', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8:1::1:40000', '2001:db8:1::1'],
    ['"[2001:db8:1::1]:40000"', '2001:db8:1::1'],
    ['::ffff:198.51.100.21', '198.51.100.21'],
    ['[::ffff:198.51.100.21]:40000', '198.51.100.21'],
    ['[fe80::1%25eth0]:40000', 'fe80::1'],
    // Proxies that are trusted may write their ports, too, and what they couldn't find out is nobody's address.
    ['198.51.100.1:1, 203.0.113.9:2, 10.1.2.3:3, [fd00::1]:4', '203.0.113.9'],
    ['198.51.100.1, unknown', '127.0.0.1'],
    ['198.51.100.1, _hidden:5, 10.1.2.3:3', '10.1.2.3'],
    ['198.51.100.300:80', '127.0.0.1'],
    ['198.51.100.21:x', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
  ])('name the address %s as %s', async (forwarded, address) => {
    await using service = await startTestService({ trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] });
    const { setCookies } = await setup(service, { 'x-forwarded-for': forwarded });
    expect(await addressSeen(service, setCookies[0])).toEqual([address]);
  });

  it.each(['198.51.100.21:', '[2001:db8:1::1]:'])(
    'with the port of each connection (%s) don’t lift the limit on guesses',
    async (address) => {
      await using service = await startTestService({ trustProxy: ['127.0.0.1'] });
      await setup(service, {});
      const statuses: number[] = [];
      for (let port = 40_000; port < 40_040 && statuses.at(-1) !== 429; port++)
        statuses.push((await logIn(service, `user-${port}`, 'wrong password', { 'x-forwarded-for': `${address}${port}` })).status);
      expect(statuses.at(-1)).toBe(429);
    },
  );

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '127.0.0.0/8', 'loopback'])('are trusted from a proxy configured as %s', async (proxy) => {
    await using service = await startTestService({ trustProxy: [proxy] });
    const { setCookies } = await setup(service, { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'HTTPS' });
    expect(setCookies[0]).toMatch(/; Secure/);
    expect(await addressSeen(service, setCookies[0])).toEqual(['203.0.113.9']);
  });

  it.each(['nonsense', '10.0.0.0/99', 'proxy.example.org', '*'])('can’t be trusted from a proxy configured as %s', async (proxy) => {
    await expect(startTestService({ trustProxy: [proxy] })).rejects.toThrow(
      /trustProxy must be IP addresses or networks, such as .*“?\(it’s/,
    );
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
