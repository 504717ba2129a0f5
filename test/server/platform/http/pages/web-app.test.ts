import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { setUp, startTestService } from '#test/helpers/service/service.ts';

it('never redirects to a folder, whatever the spelling of its path', async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'pixdock-web-'));
  onTestFinished(() => rm(webRoot, { recursive: true, force: true }));
  await mkdir(join(webRoot, 'assets'));
  for (const name of ['index', 'entry']) await writeFile(join(webRoot, `${name}.html`), '<title>Pixdock</title>');
  await using service = await startTestService({ webRoot });
  for (const path of ['/assets', '/assets/', '//assets', '//evil.example/..', '//evil.example/%2e%2e', '/%5cevil.example/..']) {
    const { status, header } = await rawRequest(`${service.url}${path}`);
    expect([path, header('location')]).toEqual([path, undefined]);
    expect([200, 404]).toContain(status);
    expect(header('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

it('allows the script that the build has written into a page, and no other', async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'pixdock-web-'));
  onTestFinished(() => rm(webRoot, { recursive: true, force: true }));
  for (const name of ['index', 'entry', 'share', 'album'])
    await writeFile(join(webRoot, `${name}.html`), `<head><script>${name}()</script><title>Pixdock</title></head>`);
  await using service = await startTestService({ webRoot });
  const policyOf = async (path: string) => (await rawRequest(`${service.url}${path}`)).header('content-security-policy');
  const allowing = (code: string) => `script-src 'self' 'sha256-${hash('sha256', code, 'base64')}';`;
  expect(await policyOf('/')).toContain(allowing('entry()'));
  expect(await policyOf('/elsewhere')).toContain(allowing('index()'));
  expect(await policyOf('/s/abcdefghijkl')).toContain(allowing('share()'));
  expect(await policyOf('/a/abcdefghij')).toContain(allowing('album()'));
  expect(await policyOf('/api/v1/config')).toContain("script-src 'self';");
});

/** A web root with one built script and its copies, which differ in content to show which one was sent. */
async function withCopies() {
  const webRoot = await mkdtemp(join(tmpdir(), 'pixdock-web-'));
  onTestFinished(() => rm(webRoot, { recursive: true, force: true }));
  await mkdir(join(webRoot, 'assets'));
  for (const name of ['index', 'entry', 'share', 'album', 'guest'])
    await writeFile(join(webRoot, `${name}.html`), `<title>${name}</title>`);
  for (const [name, text] of [
    ['a-12345678.js', 'plain script'],
    ['a-12345678.js.br', 'in Brotli'],
    ['a-12345678.js.gz', 'in gzip'],
    ['b-12345678.js', 'no copies'],
  ] as const)
    await writeFile(join(webRoot, 'assets', name), text);
  return startTestService({ webRoot });
}

it('sends the smallest copy of a built file that the client accepts', async () => {
  await using service = await withCopies();
  const get = (accept?: string, file = 'a-12345678.js') =>
    rawRequest(`${service.url}/assets/${file}`, accept === undefined ? {} : { headers: { 'accept-encoding': accept } });
  for (const [accept, encoding, body] of [
    ['gzip, deflate, br, zstd', 'br', 'in Brotli'],
    ['gzip', 'gzip', 'in gzip'],
    ['br;q=0, gzip', 'gzip', 'in gzip'],
    ['br;q=0, gzip;q=0', undefined, 'plain script'],
    ['identity', undefined, 'plain script'],
    ['*;q=0, gzip;q=0.5', 'gzip', 'in gzip'],
    ['*', 'br', 'in Brotli'],
    ['', undefined, 'plain script'],
    [undefined, undefined, 'plain script'],
  ] as const) {
    const response = await get(accept);
    expect([accept, response.header('content-encoding'), response.body]).toEqual([accept, encoding, body]);
    expect(response.header('content-type')).toMatch(/^text\/javascript/);
    expect(response.header('vary')).toContain('Accept-Encoding');
    expect(response.header('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  const without = await get('br', 'b-12345678.js');
  expect([without.header('content-encoding'), without.body]).toEqual([undefined, 'no copies']);
  expect((await get('br', 'c-12345678.js')).status).toBe(404);
});

it('refuses a range or version that a copy doesn’t have, in uncompressed JSON', async () => {
  await using service = await withCopies();
  for (const wrong of [{ range: 'bytes=99-' }, { 'if-match': '"another"' }] as Record<string, string>[]) {
    const response = await rawRequest(`${service.url}/assets/a-12345678.js`, { headers: { 'accept-encoding': 'br', ...wrong } });
    expect([response.status, response.header('content-encoding'), response.header('content-range')]).toEqual([400, undefined, undefined]);
    expect(response.header('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(response.body)).toMatchObject({ status: false, data: { code: 'invalid_request' } });
  }
});

it('validates each copy of a built file, and serves its ranges, on its own', async () => {
  await using service = await withCopies();
  const send = (headers: Record<string, string>, method = 'GET') =>
    rawRequest(`${service.url}/assets/a-12345678.js`, { method, headers: { 'accept-encoding': 'br', ...headers } });
  const tag = (await send({})).header('etag') ?? '';
  const plainTag = (await send({ 'accept-encoding': 'identity' })).header('etag');
  expect(tag).not.toBe(plainTag);
  const unchanged = await send({ 'if-none-match': tag });
  expect([unchanged.status, unchanged.body]).toEqual([304, '']);
  expect((await send({ 'if-none-match': tag, 'accept-encoding': 'gzip' })).status).toBe(200);
  const part = await send({ range: 'bytes=3-5' });
  expect([part.status, part.header('content-encoding'), part.header('content-range'), part.body]).toEqual([
    206,
    'br',
    'bytes 3-5/9',
    'Bro',
  ]);
  const head = await send({}, 'HEAD');
  expect([head.status, head.header('content-encoding'), head.header('content-length'), head.body]).toEqual([200, 'br', '9', '']);
});

it('gives visitors the sign-in page in place of the application, and validates pages by content', async () => {
  await using service = await withCopies();
  const { cookie } = await setUp(service);
  const get = (path: string, headers: Record<string, string> = {}) =>
    rawRequest(service.url + path, { headers: { accept: 'text/html', ...headers } });
  for (const path of ['/', '/albums', '/duplicates', '/settings/tokens', '/sign-in', '/register?invite=x', '/setup'])
    expect([path, (await get(path)).body]).toEqual([path, '<title>entry</title>']);
  for (const path of ['/', '/albums', '/duplicates', '/settings/tokens'])
    expect([path, (await get(path, { cookie })).body]).toEqual([path, '<title>index</title>']);
  expect([(await get('/upload')).body, (await get('/upload', { cookie })).body]).toEqual(['<title>guest</title>', '<title>guest</title>']);
  const page = await get('/', { cookie });
  expect([page.header('cache-control'), page.header('vary')]).toEqual(['no-cache', expect.stringContaining('Cookie')]);
  const tag = page.header('etag') ?? '';
  expect((await get('/', { cookie, 'if-none-match': tag })).status).toBe(304);
  expect((await get('/', { 'if-none-match': tag })).status).toBe(200);
});
