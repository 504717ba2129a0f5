import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { BusyError, CallerGoneError } from '#server/platform/base/errors.ts';
import { errorHandler, requestId } from '#server/platform/http/errors/envelope.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';

/** A server whose requests all fail, and its log. */
async function failing(error: Error) {
  const lines: string[] = [];
  const app = express();
  app.use(requestId);
  app.get('/', () => {
    throw error;
  });
  app.use(errorHandler(pino({ base: undefined, timestamp: false }, { write: (line) => void lines.push(line) })));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, lines };
}

it('turns requests away with 503 and Retry-After, and logs one line for many', async () => {
  const { url, lines } = await failing(new BusyError());
  for (let i = 0; i < 5; i++) {
    const response = await rawRequest(url);
    expect([response.status, response.code, response.header('retry-after')]).toEqual([503, 'unavailable', '5']);
  }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, turned_away: 1, msg: 'too many requests at once; some were turned away' },
  ]);
});

it('logs nothing about clients that have left', async () => {
  const { url, lines } = await failing(new CallerGoneError());
  await expect(rawRequest(url)).rejects.toThrow(/socket hang up/);
  expect(lines).toEqual([]);
});
