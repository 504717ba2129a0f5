import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response as ExpressResponse } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { messageClasses } from '#server/platform/http/errors/message-classes.ts';
import { addDefaultHeaders } from '#server/platform/http/headers/default-headers.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { startTestService } from '#test/helpers/service/service.ts';

/** Requests from an application with this handler, on the service's response class and on Node's. */
async function ask(handler: (response: ExpressResponse) => void): Promise<Response[]> {
  const serve = async (born: boolean) => {
    const app = express();
    addDefaultHeaders(app, () => ['X-Default', 'default', 'X-Other', 'default']);
    app.use((_request, response) => handler(response));
    const server: Server = createServer(born ? messageClasses(app) : {}, app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  return [await serve(true), await serve(false)];
}

it.each<[string, (response: ExpressResponse) => void]>([
  ['a response by Express', (response) => void response.setHeader('x-default', 'own').json({})],
  ['a head that is written', (response) => void response.writeHead(200, ['X-Default', 'own']).end()],
  ['both', (response) => void response.setHeader('x-default', 'own').cookie('a', 'b').writeHead(200, ['Content-Length', '0']).end()],
  ['a head in another form', (response) => void response.writeHead(200, 'Fine', { 'X-Default': 'own' }).end()],
])('%s has the default headers unless it sets its own', async (_name, handler) => {
  for (const { headers } of await ask(handler)) expect([headers.get('x-default'), headers.get('x-other')]).toEqual(['own', 'default']);
});

it('keeps cookies when writeHead is called', async () => {
  for (const { headers } of await ask((response) => void response.cookie('a', 'b').writeHead(200, ['X-Default', 'own']).end()))
    expect([headers.getSetCookie(), headers.get('x-default')]).toEqual([['a=b; Path=/'], 'own']);
});

it('sends the security headers and a request ID with every kind of response', async () => {
  await using service = await startTestService();
  for (const [path, headers] of [
    ['/healthz', {}],
    ['/healthz', { host: 'evil.example' }],
    ['/api/v1/config', {}],
    ['/api/v1/nowhere', {}],
    ['/api/v1/images', { authorization: 'Bearer wrong' }],
    ['/i/abcdefghijkl.png', {}],
    ['/i/%E0%A4%A.png', {}],
    ['/docs/api', {}],
    ['/nowhere', { accept: 'application/json' }],
  ] as [string, Record<string, string>][]) {
    const { header, status } = await rawRequest(`${service.url}${path}`, { headers });
    expect([path, status, header('x-content-type-options'), header('x-frame-options'), header('referrer-policy')]).toEqual([
      path,
      status,
      'nosniff',
      'DENY',
      'no-referrer',
    ]);
    expect([path, header('x-request-id')]).toEqual([path, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect([path, header('content-security-policy')]).toEqual([path, expect.stringContaining("default-src 'self'")]);
  }
});
