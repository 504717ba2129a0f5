import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openTestContext } from '#test/helpers/service/data/context.ts';

it('writes nothing to the log for a callback that completes no sign-on, and little to the audit log', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'trace' }, stream);
  const { context, url, close } = await openTestContext(undefined, (original) => ({ ...original, log }));
  onTestFinished(close);
  for (let count = 0; count < 40; count++) {
    const response = await fetch(`${url}/api/v1/auth/oidc/callback?code=x&state=${count}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login?error=oidc_failed']);
  }
  expect(lines).toEqual([]);
  expect(await context.db.read.selectFrom('audit').select('id').execute()).toHaveLength(30);
});
