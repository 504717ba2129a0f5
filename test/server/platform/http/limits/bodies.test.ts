import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { errorHandler, requestId } from '#server/platform/http/errors/envelope.ts';
import { type BodyLimits, limitBodies, whileArriving } from '#server/platform/http/limits/bodies.ts';
import { limitConnections } from '#server/platform/http/limits/connections.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { startTestService } from '#test/helpers/service/service.ts';

const LIMITS: BodyLimits = {
  guests: { each: 2, total: 3 },
  users: { each: 2, total: 3 },
  jsonMs: { guest: 60_000, user: 60_000 },
  window: { ms: 60_000, bytes: 1_000 },
  total: { ms: 60_000, bytesPerSecond: 1_000 },
};

/** A server that reads bodies of senders named by the header `x-name`. */
async function listen(limits: Partial<BodyLimits>) {
  const app = express();
  const parse = express.json();
  app.use(requestId);
  app.use(limitBodies((response) => ({ name: response.req.get('x-name') ?? '', isUser: false }), { ...LIMITS, ...limits }));
  app.post('/', async (request, response) => {
    const read: Promise<unknown> = request.is('application/json')
      ? new Promise<void>((resolve, reject) => parse(request, response, (error) => (error ? reject(error) : resolve())))
      : request.toArray();
    await whileArriving(response, read);
    response.json({ status: true });
  });
  app.use(errorHandler(pino({ level: 'silent' }), () => ({ accent: null })));
  return serve(createServer(app));
}

async function serve(server: ReturnType<typeof createServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** Sends the head of a request with a body of 100 bytes, and the body's first byte. */
async function begin(port: number, name: string, type = 'application/json'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Name: ${name}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`);
  return socket;
}

/** The first line and the headers of the response that a socket gets. */
const headOf = async (socket: Socket) => String((await once(socket, 'data'))[0]).split('\r\n\r\n')[0] as string;
const send = (port: number, name: string) =>
  rawRequest(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { 'x-name': name }, body: {} });
/** Bodies in flight, as a sender with one more notices. */
const refused = (port: number, name: string) => expect.poll(async () => (await send(port, name)).status).toBe(429);

it.each([
  ['a JSON body that isn’t complete in time', 'application/json', { jsonMs: { guest: 50, user: 50 } }],
  ['another body of too few bytes in a while', 'image/png', { window: { ms: 50, bytes: 1_000 } }],
])('responds with 408 to %s', async (_what, type, limits) => {
  const { port } = await listen(limits);
  const head = await headOf(await begin(port, 'a', type));
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(head).toMatch(/Retry-After: 5/i);
});

it('responds with 408 to a body that never pauses, but takes longer than its size explains', async () => {
  const { port } = await listen({ window: { ms: 20, bytes: 1 }, total: { ms: 100, bytesPerSecond: 1_000 } });
  const socket = await begin(port, 'a', 'image/png');
  const dripping = setInterval(() => socket.write('x'), 5);
  onTestFinished(() => clearInterval(dripping));
  expect(await headOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

it('limits the bodies of one sender, and lets others send', async () => {
  const { port } = await listen({});
  const [first] = [await begin(port, 'a'), await begin(port, 'a')];
  await refused(port, 'a');
  const response = await send(port, 'a');
  expect([response.code, response.header('retry-after')]).toEqual(['rate_limited', '5']);
  expect((await send(port, 'b')).status).toBe(200);
  first?.destroy();
  await expect.poll(async () => (await send(port, 'a')).status).toBe(200);
});

it('gives a newcomer the place of the oldest body of those who have the most', async () => {
  const { port } = await listen({ guests: { each: 3, total: 3 } });
  const oldest = await begin(port, 'a');
  const head = headOf(oldest);
  await begin(port, 'a');
  await begin(port, 'a');
  await refused(port, 'a');
  expect((await send(port, 'b')).status).toBe(200);
  expect(await head).toMatch(/^HTTP\/1\.1 503 /);
});

it('limits the connections of one network, except those of trusted proxies', async () => {
  let handled = 0;
  const server = createServer((_request, response) => {
    handled++;
    response.end('ok');
  });
  let proxy = false;
  limitConnections(server, () => proxy, { each: 2, total: 10 });
  const { port } = await serve(server);
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const first = open();
  await Promise.all([once(first, 'connect'), once(open(), 'connect')]);
  expect(await headOf(open())).toMatch(/^HTTP\/1\.1 429 .*Retry-After: 5/s);
  const refusal = await rawRequest(`http://127.0.0.1:${port}/`);
  expect([refusal.status, refusal.data, handled]).toEqual([429, { code: 'rate_limited', retry: 'later', retry_after: 5 }, 0]);
  proxy = true;
  expect((await rawRequest(`http://127.0.0.1:${port}/`)).status).toBe(200);
  proxy = false;
  first.destroy();
  await expect.poll(async () => (await rawRequest(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

it('accepts 64 KB of JSON from anyone', async () => {
  await using service = await startTestService();
  const logIn = (bytes: number) =>
    rawRequest(`${service.url}/api/v1/auth/login`, { method: 'POST', body: { login: 'ada', password: 'x'.repeat(bytes) } });
  expect((await logIn(60_000)).status).toBeLessThan(413);
  const refusal = await logIn(70_000);
  expect([refusal.status, refusal.code]).toEqual([413, 'body_too_large']);
});
