import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startTestService } from '#test/helpers/service/service.ts';

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
