import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AdminSettings, changeAdminSettings } from '#api/admin/settings.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');
const shown = await uploadImage(service, token, await photoJpeg({ seed: 1 }));
const hidden = await uploadImage(service, token, await photoJpeg({ seed: 2 }), { visibility: 'private' });

const change = (body: Partial<AdminSettings>) => owner.client.call(changeAdminSettings, { body });
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers, redirect: 'manual' });
const pictures = () => [`/i/${shown.key}.jpg`, `/t/${shown.key}.jpg?w=120`];

describe('scripts of other sites', () => {
  it('may read what everyone may cache, also when it is unchanged', async () => {
    for (const path of pictures()) {
      const whole = await get(path);
      expect([whole.status, whole.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      const same = await get(path, { 'if-none-match': whole.headers.get('etag') ?? '' });
      expect([same.status, same.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
    }
  });

  it('may read nothing else', async () => {
    const own = await get(`/i/${hidden.key}.jpg`, { authorization: `Bearer ${token}` });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect((await get(`/s/${shown.key}`)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the API from other sites', () => {
  const ORIGIN = 'https://app.example.org';
  const preflight = (path: string, method: string, origin = ORIGIN) =>
    fetch(`${service.url}/api/v1${path}`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');
  beforeAll(() => change({ cors_origins: [ORIGIN] }));
  afterAll(() => change({ cors_origins: [] }));

  it('works with tokens, from listed origins', async () => {
    const asked = await preflight(`/images/${shown.key}`, 'PATCH');
    expect([asked.status, allowed(asked), asked.headers.get('access-control-allow-headers'), asked.headers.get('vary')]).toEqual([
      204,
      ORIGIN,
      'Authorization, Content-Type, Idempotency-Key',
      'Origin',
    ]);
    expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await preflight('/upload', 'POST')).status).toBe(204);
    const list = await get('/api/v1/images', { origin: ORIGIN, authorization: `Bearer ${token}` });
    expect([list.status, allowed(list), list.headers.get('access-control-expose-headers'), list.headers.get('vary')]).toEqual([
      200,
      ORIGIN,
      'Retry-After',
      expect.stringContaining('Origin'),
    ]);
    const refused = await get('/api/v1/images', { origin: ORIGIN, authorization: 'Bearer wrong' });
    expect([refused.status, allowed(refused)]).toEqual([401, ORIGIN]);
  });

  it('works from all origins below a domain that is listed with *', async () => {
    await change({ cors_origins: ['https://*.example.com', 'http://*.example.net:8080', ORIGIN] });
    for (const origin of [
      'https://a.example.com',
      'https://a.b.example.com',
      'https://A.example.com.',
      'http://a.example.net:8080',
      ORIGIN,
    ]) {
      expect(allowed(await get('/api/v1/images', { origin, authorization: `Bearer ${token}` })), origin).toBe(origin);
      expect((await preflight('/images', 'GET', origin)).status, origin).toBe(204);
    }
    for (const origin of [
      'https://example.com',
      'https://.example.com',
      'http://a.example.com',
      'https://a.example.com:8443',
      'https://evilexample.com',
      'https://a.example.com.evil.example',
      'http://a.example.net',
      'https://a.example.net:8080',
      'https://*.example.org',
    ]) {
      expect(allowed(await get('/api/v1/images', { origin, authorization: `Bearer ${token}` })), origin).toBeNull();
      expect((await preflight('/images', 'GET', origin)).status, origin).toBe(405);
    }
    await change({ cors_origins: [ORIGIN] });
  });

  it('never works with cookies, for other origins, or for what needs a session', async () => {
    for (const headers of [{ cookie: owner.cookie }, {}] as Record<string, string>[])
      expect(allowed(await get('/api/v1/images', { origin: ORIGIN, ...headers }))).toBeNull();
    for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, 'http://app.example.org']) {
      expect(allowed(await get('/api/v1/images', { origin, authorization: `Bearer ${token}` }))).toBeNull();
      const asked = await preflight('/images', 'GET', origin);
      expect([asked.status, allowed(asked)]).toEqual([405, null]);
    }
    for (const [path, method] of [
      ['/auth/login', 'POST'],
      ['/admin/settings', 'PATCH'],
      ['/user/password', 'POST'],
      ['/images', 'DELETE'],
    ] as const)
      expect(allowed(await preflight(path, method)), path).toBeNull();
  });
});

describe('hotlinks', () => {
  afterEach(() => change({ hotlink_sites: null }));
  const refusedFor = async (headers: Record<string, string>) => {
    const responses = await Promise.all(pictures().map((path) => get(path, headers)));
    expect(new Set(responses.map(({ status }) => status)).size).toBe(1);
    return responses[0]?.status === 403;
  };

  it('are possible anywhere by default', async () => {
    expect(await refusedFor({ referer: 'https://elsewhere.example/page', 'sec-fetch-site': 'cross-site' })).toBe(false);
  });

  it('are limited to listed sites and this one', async () => {
    await change({ hotlink_sites: ['blog.example.org', '*.example.com'] });
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', referer: `${service.url}/s/${shown.key}` },
      { referer: `${service.url}/` },
      { referer: 'https://blog.example.org/post', 'sec-fetch-site': 'cross-site' },
      { referer: 'http://a.b.example.com:8080/' },
    ] as Record<string, string>[])
      expect(await refusedFor(headers), JSON.stringify(headers)).toBe(false);
    for (const headers of [
      { referer: 'https://elsewhere.example/', 'sec-fetch-site': 'cross-site' },
      { referer: 'https://example.org/' },
      { referer: 'https://example.com/' },
      { referer: 'https://evilexample.com/' },
      { referer: 'about:client' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'https://elsewhere.example/', authorization: `Bearer ${token}` },
    ] as Record<string, string>[])
      expect(await refusedFor(headers), JSON.stringify(headers)).toBe(true);
  });

  it('show a placeholder, lead people to the share page, and reveal nothing', async () => {
    await change({ hotlink_sites: [] });
    const elsewhere = { referer: 'https://elsewhere.example/' };
    const embedded = await get(`/i/${shown.key}.jpg`, { ...elsewhere, 'sec-fetch-dest': 'image', accept: 'image/*' });
    expect([embedded.status, embedded.headers.get('content-type'), embedded.headers.get('cache-control')]).toEqual([
      403,
      expect.stringContaining('image/svg+xml'),
      'private, no-store',
    ]);
    const followed = await get(`/i/${shown.key}.jpg`, { ...elsewhere, 'sec-fetch-dest': 'document', accept: 'text/html' });
    expect([followed.status, followed.headers.get('location')]).toEqual([302, `/s/${shown.key}`]);
    for (const key of [shown.key, hidden.key, 'abcdefghijkl']) {
      const refused = await get(`/i/${key}.jpg`, elsewhere);
      const body = (await refused.json()) as { data: { code: string } };
      expect([refused.status, body.data.code, refused.headers.get('cache-control')], key).toEqual([403, 'hotlink_refused', 'no-store']);
    }
  });

  it('keep caches that people share from having pictures, also the fastest way to send them', async () => {
    await get(`/i/${shown.key}.jpg`); // it is in memory
    await change({ hotlink_sites: [] });
    for (const path of pictures()) {
      const { headers } = await get(path);
      expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
        expect.stringMatching(/^private, max-age/),
        null,
      ]);
    }
  });
});
