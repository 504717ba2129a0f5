import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { BusyError, CallerGoneError, RequestError } from '#server/platform/base/errors.ts';
import { errorHandler, requestId } from '#server/platform/http/errors/envelope.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { StorageFault } from '#server/platform/storage/s3/fault.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';

/** A server whose requests all fail, and its log. */
async function failing(next: Error | (() => Error)) {
  const lines: string[] = [];
  const app = express();
  app.use(requestId);
  app.get('/', () => {
    throw typeof next === 'function' ? next() : next;
  });
  app.use(errorHandler(pino({ base: undefined, timestamp: false }, { write: (line) => void lines.push(line) }), () => ({ accent: null })));
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

it('logs lost pictures once a minute, however many are requested', async () => {
  let number = 0;
  const { url, lines } = await failing(() => new BlobMissingError(`file ${++number} is missing`));
  for (let i = 0; i < 5; i++) expect((await rawRequest(url)).status).toBe(500);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { failed: 1, err: { message: 'file 1 is missing' }, msg: 'a stored picture is missing' },
  ]);
});

it('logs nothing about clients that have left', async () => {
  const { url, lines } = await failing(new CallerGoneError());
  await expect(rawRequest(url)).rejects.toThrow(/socket hang up/);
  expect(lines).toEqual([]);
});

const full = (path: string) => Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), { code: 'ENOSPC' });

it('logs expected refusals as warnings without a stack, once a minute for each cause', async () => {
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const errors = [
    new StorageFault('connection', 'ECONNREFUSED', new Error('connect ECONNREFUSED 127.0.0.1:9000')),
    new StorageFault('connection', 'ECONNREFUSED'),
    new StorageFault('failed', 'SlowDown'),
    full('tmp/1'),
    full('tmp/2'),
    new RequestError('unavailable', 'The search index is being updated. Try again in a few seconds.', { retry_after: 5 }),
    full('tmp/3'),
  ];
  const expected = [503, 503, 503, 507, 507, 503, 507];
  let index = 0;
  const { url, lines } = await failing(() => errors[index] as Error);
  now.mockReturnValue(1_000_000);
  for (; index < errors.length; index++) {
    if (index === errors.length - 1) now.mockReturnValue(1_060_000);
    expect((await rawRequest(url)).status).toBe(expected[index]);
  }
  const noted = lines.map((line) => JSON.parse(line));
  expect(noted.map(({ level, status, cause, refused }) => [level, status, cause, refused])).toEqual([
    [40, 503, 'connection (ECONNREFUSED)', 1],
    [40, 503, 'failed (SlowDown)', 1],
    [40, 507, "ENOSPC: no space left on device, write 'tmp/1'", 1],
    [40, 503, 'The search index is being updated. Try again in a few seconds.', 1],
    [40, 507, "ENOSPC: no space left on device, write 'tmp/3'", 2],
  ]);
  expect(noted[0]).toMatchObject({ method: 'GET', path: '/', request_id: expect.any(String) });
  expect(lines.join('')).not.toMatch(/stack|errors\.ts/);
});

it('logs every defect with its stack', async () => {
  const { url, lines } = await failing(new TypeError('planted'));
  for (let i = 0; i < 2; i++) expect((await rawRequest(url)).status).toBe(500);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    Array(2).fill({ level: 50, err: { message: 'planted', stack: expect.stringContaining('at ') } }),
  );
});
