import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures.ts';
import { setUp, startTestService, type TestService, uploadPicture } from '#test/helpers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** What comes back for bytes that no browser would send. */
async function raw(request: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.end(request);
  return text(socket);
}

// Node answers these by itself, before the application has seen anything of them.
it.each([
  ['an expectation that nobody meets', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: something\r\nConnection: close\r\n\r\n', '417'],
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
  ['no sense', 'HELLO\r\n\r\n', '400'],
  ['a header that is too long', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, '400'],
])('a request with %s is answered, and the service lives on', async (_what, request, status) => {
  expect(await raw(request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

it('an answer that clears a cookie is not for shared caches', async () => {
  const token = await (await setUp(service)).token('upload');
  const { links } = await uploadPicture(service, token, await photoJpeg({ seed: 77 }));
  for (const url of [links.url, links.thumbnail_url]) {
    expect((await fetch(url)).headers.get('cache-control')).toMatch(/^public/);
    const known = await fetch(url, { headers: { cookie: 'pixdock_session=nonsense' } });
    expect(known.headers.get('set-cookie')).toBeTruthy();
    expect(known.headers.get('cache-control')).toBe('private, no-store');
  }
});
