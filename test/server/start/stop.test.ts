import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startTestService } from '#test/helpers/service/service.ts';

/** The service waits this long for requests that are running. */
const ABORTED_AFTER_MS = 10_000;

it('stops despite a keep-alive connection with a request in flight', async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { port, host } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  // Half a request is in flight when the service stops, so that the connection isn't idle.
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`);
  await fetch(`${service.url}/healthz`);
  const began = performance.now();
  const stopped = service.stop();
  socket.write('Connection: keep-alive\r\n\r\n');
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1.1 200 /);
  expect(response).toMatch(/^connection: close\r$/im);
  await stopped;
  expect(performance.now() - began).toBeLessThan(ABORTED_AFTER_MS);
});

it('stops despite a connection that a browser opened in advance', async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  await fetch(`${service.url}/healthz`);
  const began = performance.now();
  await service.stop();
  expect(performance.now() - began).toBeLessThan(ABORTED_AFTER_MS);
  await closed;
});
