import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { respondToMalformedRequests } from '#server/platform/http/errors/malformed.ts';
import { endStalled } from '#server/platform/http/limits/stalled.ts';
import { startTestService } from '#test/helpers/service/service.ts';

const PAUSE_MS = 150;

/** A server with the given handler. */
async function listen(handle: (app: express.Express) => void): Promise<Server> {
  const app = express();
  handle(app);
  const server = createServer(app);
  endStalled(server, PAUSE_MS);
  respondToMalformedRequests(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** A connection that sends a text, then nothing, and stays open. */
function send(server: Server, text: string): Socket {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined); // the test waits for the connection to be cut
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves when the server has closed all connections. */
const letGo = (server: Server) =>
  expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))), { timeout: 8_000 }).toBe(0);

it('disconnects a client that stops in the middle of a body', async () => {
  const server = await listen((app) => app.post('/', express.json(), (_request, response) => void response.json({})));
  send(server, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{').resume();
  await once(server, 'request');
  await letGo(server);
});

it("disconnects a client that doesn't read its response", async () => {
  const server = await listen((app) => app.get('/', (_request, response) => void response.send(Buffer.alloc(64 * 1024 * 1024))));
  send(server, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n').pause();
  await once(server, 'request');
  await letGo(server);
});

it('keeps clients that wait for a slow response', async () => {
  const server = await listen((app) => app.get('/', (_request, response) => void setTimeout(() => response.send('late'), 4 * PAUSE_MS)));
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late');
});

it('disconnects a client that sends no request and stays connected', async () => {
  const server = await listen(() => undefined);
  const response = await send(server, 'BAD nonsense\r\n\r\n').toArray();
  expect(Buffer.concat(response).toString()).toMatch(/^HTTP\/1\.1 400 /);
  await letGo(server);
});

/** The headers that a program of this name gets about its connection. */
function connectionOf(url: string, userAgent: string): Promise<{ connection?: string; keepAlive?: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/healthz`, { headers: { 'user-agent': userAgent, connection: 'keep-alive' }, agent: false }, (response) => {
      const { connection, 'keep-alive': keepAlive } = response.headers;
      response
        .resume()
        .once('end', () => resolve({ ...(connection && { connection }), ...(keepAlive && { keepAlive: String(keepAlive) }) }));
    });
    sent.once('error', reject).end();
  });
}

it('keeps idle connections open for longer than the 60 s of pools and proxies', async () => {
  await using service = await startTestService();
  expect(await connectionOf(service.url, 'pool')).toEqual({ connection: 'keep-alive', keepAlive: 'timeout=75' });
});

it('closes the connections of PicGo, which runs until they are closed', async () => {
  await using service = await startTestService();
  expect(await connectionOf(service.url, 'PicGo')).toEqual({ connection: 'close' });
});
