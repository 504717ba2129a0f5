import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import express from 'express';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { errorHandler } from '#server/platform/http/errors/envelope.ts';

it('logs the key of a failing deletion link, but never its secret', async () => {
  let written = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const app = express();
  app.use(() => {
    throw new Error('planted');
  });
  app.use(errorHandler(pino(sink), () => ({ accent: null })));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/delete/AAAAAAAAAAAA/the-secret', '/api/v1/delete/AAAAAAAAAAAA/the-secret/more'])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(500);
  server.close();
  expect(written.match(/planted/g)?.length).toBeGreaterThanOrEqual(2);
  expect(written).toContain('/delete/AAAAAAAAAAAA/…');
  expect(written).not.toContain('the-secret');
});
