import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveAccent } from '#api/accent.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** As browsers send them: without `Sec-Fetch-Dest` on plain http, with it elsewhere. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const NAVIGATION = { accept: ACCEPT };
const get = (path: string, headers: Record<string, string>, method = 'GET') => rawRequest(`${service.url}${path}`, { headers, method });

describe('a person who follows a link', () => {
  it.each([
    ['/i/unknown', {}, 404, 'Not found'],
    ['/i/abcdefghijkl.jpg', {}, 404, 'Not found'],
    ['/t/abcdefghijkl.jpg', { 'sec-fetch-dest': 'document' }, 404, 'Not found'],
    ['/t/abcdefghijkl.jpg?w=1', {}, 400, 'This page can’t be shown'],
    ['/assets/gone.js', {}, 404, 'Not found'],
    ['/s/%ff', {}, 400, 'This page can’t be shown'],
    ['/', { host: 'evil.example' }, 421, 'Pixdock isn’t configured for this address'],
  ])('to %s with %j gets a page', async (path, headers, status, title) => {
    const response = await get(path, { ...NAVIGATION, ...headers });
    expect([response.status, response.header('content-type'), response.header('cache-control')]).toEqual([
      status,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(response.body).toContain(`<title>${title} · Pixdock</title>`);
    expect(response.body).toContain(`<h1>${title}</h1>`);
    expect(response.header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('gets it in their language', async () => {
    const titleIn = async (languages: string) => {
      const { body } = await get('/i/unknown', { ...NAVIGATION, 'accept-language': languages });
      return [/<html lang="([^"]+)">/.exec(body)?.[1], /<h1>(.*)<\/h1>/.exec(body)?.[1]];
    };
    expect(await titleIn('zh-CN,zh;q=0.9,en;q=0.8')).toEqual(['zh-CN', '页面不存在']);
    expect(await titleIn('zh-TW')).toEqual(['zh-CN', '页面不存在']);
    expect(await titleIn('fr,en;q=0.5')).toEqual(['en', 'Not found']);
    expect(await titleIn('fr')).toEqual(['en', 'Not found']);
  });

  it('gets one that can do nothing but look right', async () => {
    const { body, header } = await get('/i/unknown', NAVIGATION);
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? '';
    const expected = hash('sha256', style, 'base64');
    expect(header('content-security-policy')).toBe(
      `default-src 'none';style-src 'sha256-${expected}';img-src data:;base-uri 'none';form-action 'none';frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/<script|\son\w+=|style="|https?:\/\/(?!www\.w3\.org)/);
    expect(Buffer.byteLength(body)).toBeLessThan(6_000);
  });

  it('gets it in the colours of the site', async () => {
    const { client } = await setUp(service);
    const acceptedStyle = async (path: string) => {
      const { body, header } = await get(path, NAVIGATION);
      const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? '';
      const expected = hash('sha256', style, 'base64');
      const policy = header('content-security-policy') ?? '';
      expect(policy.includes(`style-src 'sha256-${expected}'`) || policy.includes("'unsafe-inline'")).toBe(true);
      return style;
    };
    for (const accent_color of ['#ffd400', '#0000ff']) {
      await client.call(changeAdminSettings, { body: { accent_color } });
      const { light, dark } = deriveAccent(accent_color);
      for (const path of ['/i/unknown', '/assets/gone.js'])
        expect(await acceptedStyle(path)).toContain(`:root{--accent:light-dark(${light.fill},${dark.fill})}`);
      expect(await acceptedStyle('/docs/api')).toContain(`:root{--accent:light-dark(${light.text},${dark.text})}`);
    }
    await client.call(changeAdminSettings, { body: { accent_color: null } });
    for (const path of ['/i/unknown', '/docs/api']) expect((await acceptedStyle(path)).match(/--accent:/g)?.length).toBeLessThan(3);
  });

  it('is led to the start page only where there is one', async () => {
    expect((await get('/i/unknown', NAVIGATION)).body).toContain('<a href="/">');
    expect((await get('/', { ...NAVIGATION, host: 'evil.example' })).body).not.toContain('<a ');
  });
});

describe('everything else gets JSON', () => {
  it.each([
    ['a program', {}],
    ['a program that accepts anything', { accept: '*/*' }],
    ['a script', { accept: '*/*', 'sec-fetch-dest': 'empty' }],
    ['a script that asks for HTML', { accept: 'text/html', 'sec-fetch-dest': 'empty' }],
    ['a program that prefers JSON', { accept: 'application/json, text/html;q=0.5' }],
  ])('%s', async (_name, headers) => {
    for (const path of ['/i/unknown', '/i/abcdefghijkl.jpg'])
      expect(await get(path, headers as Record<string, string>)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await get('/', { ...headers, host: 'evil.example' })).toMatchObject({ status: 421, code: 'unknown_host' });
  });

  it('below the API, whatever it accepts', async () => {
    for (const [path, status] of [
      ['/api/v1/nothing', 404],
      ['/api/v1/s/abcdefghijkl', 404],
      ['/api/v1/user', 401],
    ] as const)
      expect(await get(path, { ...NAVIGATION, 'sec-fetch-dest': 'document' })).toMatchObject({ status, code: expect.any(String) });
  });

  it('after a write', async () => {
    expect(await get('/s/abcdefghijkl', NAVIGATION, 'POST')).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });
});

it('rejects other methods on read-only routes and lists the allowed ones', async () => {
  await using service = await startTestService();
  for (const path of [
    '/healthz',
    '/api/v1/openapi.json',
    '/docs/api',
    '/i/abcdefghijkl.png',
    '/t/abcdefghijkl.jpg',
    '/s/abcdefghijkl',
    '/a/abcdefghij',
  ])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await rawRequest(`${service.url}${path}`, { method });
      expect([path, method, response.status, response.code, response.header('allow')]).toEqual([
        path,
        method,
        405,
        'method_not_allowed',
        'GET, HEAD',
      ]);
    }
});
