import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openTestContext } from '#test/helpers/service/data/context.ts';

/** An open context, and the lines of its log. */
async function logged() {
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
  return { context, url, lines };
}

it('writes nothing to the log for a callback that completes no sign-on, and little to the audit log', async () => {
  const { context, url, lines } = await logged();
  for (let count = 0; count < 40; count++) {
    const response = await fetch(`${url}/api/v1/auth/oidc/callback?code=x&state=${count}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login?error=oidc_failed']);
  }
  expect(lines).toEqual([]);
  expect(await context.db.read.selectFrom('audit').select('id').execute()).toHaveLength(30);
});

it('writes one line to the log, however often anyone starts a sign-on while the provider is silent', async () => {
  const { context, url, lines } = await logged();
  const provider = { enabled: true, issuer: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'x', allowInsecureIssuer: true };
  await context.oidc.changeWith('start', provider, async () => undefined);
  for (let count = 0; count < 10; count++) {
    const response = await fetch(`${url}/api/v1/auth/oidc/start?moved=1`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/login?error=oidc_unreachable']);
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ fault: 'oidc_unreachable', failed: 1, msg: 'single sign-on failed' }]);
});
