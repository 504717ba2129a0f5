import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { type ProviderOptions, startOidcProvider, type TestProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const { service, owner } = await startFileService();
const REDIRECT_URI = `${service.url}${CALLBACK}`;
const SECRET = 'a secret of at least sixty-four bytes, as HS512 requires of its keys';

/** What saving shows of a provider, which is configured as it says itself, except for `changes`. */
async function diagnose(options: ProviderOptions, changes: Partial<TestProvider> = {}, redirectUri = REDIRECT_URI) {
  const provider = await startOidcProvider([redirectUri], options);
  onTestFinished(() => provider.stop());
  const { discovery } = await signOnWith(owner, { ...provider, ...changes });
  return { ...discovery, provider };
}

const DOCUMENT = '/.well-known/openid-configuration';
/** A provider whose discovery document differs from what it does. */
const announcing = (changes: object): ProviderOptions => ({ changes: { [DOCUMENT]: (document) => ({ ...document, ...changes }) } });

/** A port on loopback where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('saving a provider', () => {
  it('finds nothing wrong where everything that a sign-in needs works', async () => {
    const found = await diagnose({});
    expect(found).toMatchObject({ ok: true, problem: null });
    expect(found.provider.requests).toEqual(expect.arrayContaining(['GET /jwks', 'GET /auth', 'POST /token']));
  });

  it.each(['client_secret_basic', 'client_secret_post'] as const)('finds nothing wrong with %s', async (token_endpoint_auth_method) => {
    expect(await diagnose({ client: { token_endpoint_auth_method } })).toMatchObject({ ok: true, problem: null });
  });

  it.each([[], { keys: [] }])('needs no keys where the secret signs: %j', async (published) => {
    const found = await diagnose({
      client: { client_secret: SECRET, id_token_signed_response_alg: 'HS256' },
      configuration: { enabledJWA: { idTokenSigningAlgValues: ['HS256'] } },
      changes: { '/jwks': () => published, [DOCUMENT]: ({ userinfo_endpoint: _, ...document }) => document },
    });
    expect(found).toMatchObject({ ok: true, problem: null });
  });

  it.each<[string, ProviderOptions, Partial<TestProvider>, object]>([
    ['a wrong secret', {}, { clientSecret: 'wrong' }, { problem: 'client_refused', message: expect.stringContaining('Copy both again') }],
    [
      'a wrong secret, sent in the form',
      { client: { token_endpoint_auth_method: 'client_secret_post' } },
      { clientSecret: 'wrong' },
      { problem: 'client_refused' },
    ],
    ['a client that the provider doesn’t know', {}, { clientId: 'nobody' }, { problem: 'request_refused', detail: 'HTTP 400' }],
    [
      'only algorithms that Pixdock doesn’t know',
      announcing({ id_token_signing_alg_values_supported: ['none', 'ES256K'] }),
      {},
      { problem: 'no_algorithm', detail: 'none, ES256K', message: expect.stringContaining('RS256') },
    ],
    ['no keys', { published: { keys: [] } }, {}, { problem: 'no_keys', detail: expect.stringMatching(/\/jwks$/) }],
    ['keys of another kind', announcing({ id_token_signing_alg_values_supported: ['ES256'] }), {}, { problem: 'no_keys' }],
    [
      'an address of keys that doesn’t exist',
      announcing({ jwks_uri: `${service.url}/nothing` }),
      {},
      { problem: 'no_keys', detail: `${service.url}/nothing` },
    ],
    ['no address of keys', announcing({ jwks_uri: undefined }), {}, { problem: 'incomplete_document' }],
  ])('names the problem: %s', async (_name, options, changes, expected) => {
    const found = await diagnose(options, changes);
    expect(found).toMatchObject({ ok: false, issuer: found.provider.issuer, ...expected });
  });

  it('names a redirect URI that the provider doesn’t know', async () => {
    const found = await diagnose({}, {}, 'http://127.0.0.1:1/other');
    expect(found).toMatchObject({
      ok: false,
      problem: 'request_refused',
      detail: 'HTTP 400',
      message: expect.stringContaining('redirect URI'),
    });
  });

  it('names the error with which the provider sends browsers back', async () => {
    expect(await diagnose({ client: { scope: 'openid' } })).toMatchObject({
      ok: false,
      problem: 'request_refused',
      detail: 'invalid_scope',
    });
  });

  it.each(['token_endpoint', 'jwks_uri'])('names an address that can’t be reached: %s', async (name) => {
    const address = `http://127.0.0.1:${await closedPort()}/x`;
    expect(await diagnose(announcing({ [name]: address }))).toMatchObject({ ok: false, problem: 'endpoint_unreachable', detail: address });
  });

  it('doesn’t need to reach what only browsers open', async () => {
    const address = `http://127.0.0.1:${await closedPort()}/x`;
    expect(await diagnose(announcing({ authorization_endpoint: address }))).toMatchObject({ ok: true, problem: null });
  });

  it('names clocks that differ', async () => {
    expect(await diagnose({ clockAheadMs: 20 * 60_000 })).toMatchObject({ ok: false, problem: 'clocks_differ', detail: '20' });
    expect(await diagnose({ clockAheadMs: -20 * 60_000 })).toMatchObject({ ok: false, problem: 'clocks_differ', detail: '20' });
    expect(await diagnose({ clockAheadMs: 4 * 60_000 })).toMatchObject({ ok: true, problem: null });
  });
});

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
