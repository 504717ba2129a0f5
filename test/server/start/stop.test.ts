import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startTestService } from '#test/helpers/service.ts';

it('a page that keeps its connection and goes on asking does not hold up the end of the service', async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { port, host } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  // Half a request is under way when the service is told to stop, so that the connection is not idle.
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`);
  await fetch(`${service.url}/healthz`);
  const began = performance.now();
  const stopped = service.stop();
  socket.write('Connection: keep-alive\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  await stopped;
  expect(performance.now() - began).toBeLessThan(4_000);
});

it('a connection that a browser has opened in advance does not hold it up either', async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  await fetch(`${service.url}/healthz`);
  const began = performance.now();
  await service.stop();
  expect(performance.now() - began).toBeLessThan(4_000);
  await closed;
});
