import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { setUp, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

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
