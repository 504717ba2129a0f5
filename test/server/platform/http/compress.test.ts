import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { expect, it } from 'vitest';
import { compressText } from '#server/platform/http/compress.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { startTestService } from '#test/helpers/service/service.ts';

const LONG = 'x'.repeat(3000);

/** A server that sends one response to every request. */
async function serving(send: (response: Response) => void) {
  const app = express();
  app.use(compressText());
  app.use((_request, response) => send(response));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}
const accepting = { 'accept-encoding': 'gzip, br' };

it('compresses JSON from 2 KB up, in the encoding that the client accepts', async () => {
  await using service = await startTestService();
  const get = (path: string, headers: Record<string, string> = accepting) => rawRequest(`${service.url}${path}`, { headers });
  const document = await get('/api/v1/openapi.json');
  expect([document.header('content-encoding'), document.header('content-length')]).toEqual(['br', undefined]);
  expect(document.header('vary')).toContain('Accept-Encoding');
  expect((await get('/api/v1/openapi.json', { 'accept-encoding': 'gzip' })).header('content-encoding')).toBe('gzip');
  for (const refused of ['identity', 'br;q=0, gzip;q=0', ''])
    expect((await get('/api/v1/openapi.json', { 'accept-encoding': refused })).header('content-encoding')).toBeUndefined();
  const decoded = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as { openapi: string };
  expect(decoded.openapi).toMatch(/^3\./);
  const small = await get('/api/v1/config');
  expect([small.status, small.header('content-encoding')]).toEqual([200, undefined]);
});

it('leaves alone what is compressed already, what is small, and what may carry a new secret', async () => {
  await using json = await serving((response) => void response.json({ text: LONG }));
  expect((await rawRequest(json.url, { headers: accepting })).header('content-encoding')).toBe('br');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await rawRequest(json.url, { method, headers: accepting })).header('content-encoding')).toBeUndefined();
  for (const type of ['image/jpeg', 'application/zip', 'application/octet-stream']) {
    await using other = await serving((response) => void response.type(type).send(Buffer.from(LONG)));
    expect((await rawRequest(other.url, { headers: accepting })).header('content-encoding')).toBeUndefined();
  }
  await using small = await serving((response) => void response.json({ text: 'x'.repeat(1900) }));
  expect((await rawRequest(small.url, { headers: accepting })).header('content-encoding')).toBeUndefined();
});

it('keeps the tag of a response, and has nothing to compress in a 304', async () => {
  await using tagged = await serving((response) => {
    response.setHeader('ETag', 'W/"1"');
    response.json({ text: LONG });
  });
  const first = await rawRequest(tagged.url, { headers: accepting });
  expect([first.header('etag'), first.header('content-encoding')]).toEqual(['W/"1"', 'br']);
  const second = await rawRequest(tagged.url, { headers: { ...accepting, 'if-none-match': 'W/"1"' } });
  expect([second.status, second.header('content-encoding'), second.body]).toEqual([304, undefined, '']);
});
