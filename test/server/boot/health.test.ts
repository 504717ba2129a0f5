import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';

/** A service with its log, as messages. */
async function startLogged() {
  const messages: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      messages.push(JSON.parse(String(chunk)).msg);
      done();
    },
  });
  const log = pino({ level: 'trace' }, stream);
  const { context, url, close } = await openTestContext(undefined, (original) => ({ ...original, log }));
  onTestFinished(close);
  const statuses = async (...paths: string[]) => (await Promise.all(paths.map((path) => fetch(url + path)))).map(({ status }) => status);
  return { context, messages, statuses };
}

// A bucket that is down doesn't count: another service couldn't reach it either.
it.skipIf(onPostgres)('logs when the service becomes unhealthy and healthy again, not every check by anyone', async () => {
  const { context, messages, statuses } = await startLogged();
  expect(await statuses('/healthz', '/readyz')).toEqual([200, 200]);
  expect(messages).toEqual([]);
  const [blobs, away] = ['blobs', 'away'].map((name) => join(context.config.dataDir, name)) as [string, string];
  await rename(blobs, away);
  expect(await statuses('/healthz', '/healthz', '/readyz', '/readyz')).toEqual([503, 503, 503, 503]);
  expect(messages).toEqual(['not healthy']);
  await rename(away, blobs);
  expect(await statuses('/healthz', '/readyz')).toEqual([200, 200]);
  expect(messages).toEqual(['not healthy', 'healthy again']);
  await rename(blobs, away);
  expect(await statuses('/readyz')).toEqual([503]);
  expect(messages).toEqual(['not healthy', 'healthy again', 'not healthy']);
});

it('logs nothing for checks while the service stops', async () => {
  const { context, messages, statuses } = await startLogged();
  context.lifecycle.stopping = true;
  expect(await statuses('/readyz', '/readyz', '/healthz')).toEqual([503, 503, 200]);
  expect(messages).toEqual([]);
});
