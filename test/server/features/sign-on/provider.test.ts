import { hash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { getOidc, putOidc } from '#api/auth/oidc.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { settle } from '#test/helpers/service/cluster/cluster.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { setUp, signedIn, startTestService } from '#test/helpers/service/service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const { service, owner } = await startFileService();
const provider = await startOidcProvider([`${service.url}${CALLBACK}`], { people: { mia: { email: 'mia@example.net' } } });
afterAll(() => provider.stop());

const put = async (body: object, headers: Record<string, string> = { cookie: owner.cookie }) => {
  const url = `${service.url}/api/v1/admin/oidc`;
  const response = await rawRequest(url, { method: 'PUT', headers, body });
  await settle(url, 'PUT', { cookie: owner.cookie });
  return response;
};
const get = () => owner.client.call(getOidc, {});
const isOffered = async () => (await rawRequest(`${service.url}/api/v1/config`)).data.oidc_enabled;

/** A server on loopback that isn't a real provider. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('by default', () => {
  it('no provider is set or offered', async () => {
    expect(await get()).toEqual({
      enabled: false,
      issuer: '',
      client_id: '',
      client_secret: '',
      auto_create: true,
      allowed_email_domains: [],
      allow_insecure_issuer: false,
      trust_email: false,
      allowed_tenants: [],
      groups_claim: '',
      group_map: [],
      redirect_uri: `${service.url}${CALLBACK}`,
    });
    expect(await isOffered()).toBe(false);
  });

  it('a provider without a secret is saved but not offered', async () => {
    const { discovery, ...saved } = await owner.client.call(putOidc, {
      body: { enabled: true, issuer: provider.issuer, client_id: 'pixdock', client_secret: '' },
    });
    expect(saved).toMatchObject({ enabled: true, client_secret: '' });
    expect(discovery).toMatchObject({ ok: true, problem: 'no_client_secret', message: expect.stringContaining('Enter the client secret') });
    expect(await isOffered()).toBe(false);
  });
});

describe('the secret', () => {
  it('is masked in every response and encrypted at rest', async () => {
    const response = await put({ enabled: true, issuer: provider.issuer, client_id: 'pixdock', client_secret: provider.clientSecret });
    expect(response.data).toMatchObject({ enabled: true, client_secret: '********' });
    expect(response.body).not.toContain(provider.clientSecret);
    expect(await get()).toMatchObject({ client_secret: '********' });
    expect(await isOffered()).toBe(true);
    for (const file of (await readdir(service.dataDir)).filter((name) => /\.(db|db-wal|json)$/.test(name))) {
      const bytes = await readFile(join(service.dataDir, file));
      for (const form of [provider.clientSecret, Buffer.from(provider.clientSecret).toString('base64url')]) {
        expect(bytes.includes(form), `${file} holds the secret`).toBe(false);
      }
      expect(bytes.includes(hash('sha256', provider.clientSecret))).toBe(false);
    }
  });

  it.each([{ client_secret: '********' }, { client_secret: '' }, {}])('is kept when %j is saved', async (kept) => {
    await put({ enabled: true, issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.clientSecret });
    const response = await put({ enabled: true, issuer: provider.issuer, client_id: provider.clientId, ...kept });
    expect(response.data.client_secret).toBe('********');
    expect((await signOn(service, 'mia')).username).toBe('mia');
  });

  it('can be replaced', async () => {
    await put({ enabled: true, issuer: provider.issuer, client_id: provider.clientId, client_secret: 'another secret' });
    expect((await signOn(service, 'mia')).location).toBe('/login?error=oidc_failed');
    await signOnWith(owner, provider);
    expect((await signOn(service, 'mia')).location).toBe('/');
  });

  it('survives a restart, but not the loss of secrets.json', async () => {
    await using other = await startTestService();
    const admin = await setUp(other);
    await signOnWith(admin, provider, { allowed_email_domains: ['example.net'], auto_create: false });
    await other.restart();
    const after = await admin.client.call(getOidc, {});
    expect(after).toMatchObject({ enabled: true, client_secret: '********', allowed_email_domains: ['example.net'], auto_create: false });
    await other.stop();
    await rm(join(other.dataDir, 'secrets.json'));
    if (onPostgres) return void (await expect(other.restart()).rejects.toThrow('PIXDOCK_SECRETS'));
    await other.restart();
    expect(await admin.client.call(getOidc, {})).toMatchObject({ enabled: true, client_secret: '' });
    expect((await rawRequest(`${other.url}/api/v1/config`)).data.oidc_enabled).toBe(false);
  });
});

describe('the diagnosis', () => {
  const diagnose = async (issuer: string) => (await put({ enabled: true, issuer, client_id: 'pixdock' })).data.discovery;

  it('shows the provider’s own metadata', async () => {
    expect(await diagnose(provider.issuer)).toEqual({
      ok: true,
      message: `The provider identifies itself as ${provider.issuer}.`,
      claimed: [],
      problem: null,
      detail: null,
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/auth`,
      token_endpoint: `${provider.issuer}/token`,
    });
  });

  it('accepts the address of the discovery document as the issuer', async () => {
    expect(await diagnose(`${provider.issuer}/.well-known/openid-configuration`)).toMatchObject({ ok: true });
    expect((await get()).issuer).toBe(provider.issuer);
  });

  it('names the problem, and saves the provider anyway', async () => {
    const named = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer: 'https://login.example.org/realm' }));
    });
    const leading = await serve((request, response) => {
      const issuer = `http://${request.headers.host}`;
      const document = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: 'http://192.0.2.1/token',
        jwks_uri: `${issuer}/k`,
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
    });
    const silent = await serve((request) => request.resume());
    const gone = await startOidcProvider([]);
    await gone.stop();
    for (const [issuer, problem, sentence] of [
      [gone.issuer, 'connection_refused', /connection to the issuer was refused/],
      ['https://provider.invalid', expect.stringMatching(/^(unknown_host|no_name_service)$/), /couldn’t be looked up|doesn’t exist/],
      [service.url, 'no_document', /status 404/],
      [named, 'other_issuer', /issuer is https:\/\/login\.example\.org\/realm/],
      [leading, 'insecure_endpoint', /unencrypted address: http:\/\/192\.0\.2\.1\/token/],
      [silent, 'timeout', /didn’t respond in time/],
    ] as const) {
      expect(await diagnose(issuer)).toMatchObject({ ok: false, problem, message: expect.stringMatching(sentence), issuer: null });
      expect(await get()).toMatchObject({ enabled: true, issuer });
    }
  });
});

describe('plain http', () => {
  it.each(['http://login.example.org', 'http://192.168.1.9:8080/realm', 'http://127.0.0.1.example.org', 'http://[fd00::1]'])(
    'is refused for %s without the opt-in',
    async (issuer) => {
      const before = await get();
      const refused = await put({ enabled: true, issuer, client_id: 'pixdock' });
      expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(refused.data.field).toBe('issuer');
      expect(await get()).toEqual(before);
    },
  );

  it('is accepted with the opt-in, which persists', async () => {
    const body = { enabled: true, issuer: 'http://login.invalid', client_id: 'pixdock' };
    expect((await put({ ...body, allow_insecure_issuer: true })).status).toBe(200);
    expect((await put(body)).status).toBe(200);
    expect((await put({ ...body, allow_insecure_issuer: false })).status).toBe(400);
    await put({ enabled: false, issuer: '', client_id: '', allow_insecure_issuer: false });
  });
});

describe('an issuer of any organisation', () => {
  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
    'https://login.microsoftonline.com/Organizations/v2.0',
    'https://login.microsoftonline.com/consumers',
    'https://login.microsoftonline.us/common/v2.0',
    'https://sts.windows.net/common',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
    'https://login.example.org/%7Btenantid%7D/v2.0',
  ])('is refused unless tenants are named: %s', async (issuer) => {
    const before = await get();
    const body = { enabled: false, issuer, client_id: 'pixdock' };
    const refused = await put(body);
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', data: { field: 'issuer', problem: 'multi_tenant_issuer' } });
    expect(await get()).toEqual(before);
    expect((await put({ ...body, allowed_tenants: ['72F988BF-86F1-41AF-91AB-2D7CD011DB47'] })).status).toBe(200);
    expect(await get()).toMatchObject({ allowed_tenants: ['72f988bf-86f1-41af-91ab-2d7cd011db47'] });
    expect((await put({ ...body, allowed_tenants: [] })).status).toBe(400);
    await put({ enabled: false, issuer: '', client_id: '', allowed_tenants: [] });
  });

  it('isn’t offered where an earlier version has saved it', async () => {
    await signOnWith(owner, provider);
    expect(await isOffered()).toBe(true);
    await using other = await startTestService();
    const admin = await setUp(other);
    await signOnWith(admin, provider);
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    await withDatabase(other, (db) => db.as('job').write((queries) => queries.updateTable('oidc_providers').set({ issuer }).execute()));
    await other.restart();
    expect((await rawRequest(`${other.url}/api/v1/config`)).data.oidc_enabled).toBe(false);
    expect((await rawRequest(`${other.url}/api/v1/auth/oidc/start`)).status).toBe(404);
  });

  it('may be the issuer of one tenant', async () => {
    const issuer = 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0';
    expect((await put({ enabled: false, issuer, client_id: 'pixdock' })).status).toBe(200);
  });
});

it.each([
  ['enabled', { enabled: 'yes' }],
  ['enabled', { enabled: undefined }],
  ['issuer', { issuer: 'login.example.org' }],
  ['issuer', { issuer: 'ftp://login.example.org' }],
  ['issuer', { issuer: 'https://login.example.org/?tenant=1' }],
  ['issuer', { issuer: 'https://user:pass@login.example.org' }],
  ['issuer', { issuer: 'javascript:alert(1)' }],
  ['client_id', { client_id: 7 }],
  ['client_secret', { client_secret: null }],
  ['allowed_email_domains.0', { allowed_email_domains: ['@example.org'] }],
  ['auto_create', { auto_create: 1 }],
  ['trust_email', { trust_email: 'yes' }],
  ['allowed_tenants.0', { allowed_tenants: ['example.org'] }],
])('refuses an invalid %s: %j', async (field, wrong) => {
  const response = await put({ enabled: true, issuer: 'https://login.example.org', client_id: 'pixdock', ...wrong });
  expect(response.data).toMatchObject({ code: 'invalid_request', field });
});

it('records changes in the audit log, without the secret', async () => {
  await put({ enabled: true, issuer: provider.issuer, client_id: 'pixdock', client_secret: 'a secret for the log' });
  const { items } = await owner.client.call(listAudit, { query: { action: 'oidc.changed' } });
  expect(items[0]).toMatchObject({ actor: { username: 'ada' }, target: provider.issuer, details: { enabled: true, secret_changed: true } });
  expect(JSON.stringify(items)).not.toContain('a secret for the log');
});

it('is open only to admins with a session, and for changes only to the owner', async () => {
  const user = await addUser(service, 'bea');
  const admin = await addUser(service, 'root', 'admin');
  const body = { enabled: false, issuer: '', client_id: '' };
  for (const [headers, status, changed = status] of [
    [{}, 401],
    [{ cookie: user.cookie }, 403],
    [{ authorization: `Bearer ${await admin.token('full')}` }, 403],
    [{ authorization: `Bearer ${await admin.token('upload')}` }, 403],
    [{ cookie: admin.cookie }, 200, 403],
    [{ cookie: owner.cookie }, 200],
  ] as [Record<string, string>, number, number?][]) {
    expect((await rawRequest(`${service.url}/api/v1/admin/oidc`, { headers })).status).toBe(status);
    expect((await put(body, headers)).status).toBe(changed);
  }
  const refused = await put({ ...body, issuer: 'https://evil.example' }, { cookie: admin.cookie });
  expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
  expect(refused.body).toContain('Only the owner');
  expect((await get()).issuer).toBe('');
});

it('cannot be turned on while the desktop’s owner has no password', async () => {
  await using desktop = await startTestService();
  const { name, value } = await desktop.openOwnerSession('ada');
  const admin = signedIn(desktop, `${name}=${value}`);
  await expect(signOnWith(admin, provider)).rejects.toMatchObject({ code: 'conflict', details: { problem: 'owner_without_password' } });
  expect(await signOnWith(admin, provider, { enabled: false })).toMatchObject({ enabled: false, client_secret: '********' });
});

it('shows the redirect address under the base URL', async () => {
  await using proxied = await startTestService({ baseUrl: 'https://pics.example.org' });
  const response = await rawRequest(`${proxied.url}/api/v1/setup`, {
    method: 'POST',
    body: { username: 'ada', email: 'ada@example.org', password: 'long enough now', setup_code: proxied.setupCode },
  });
  const admin = signedIn(proxied, response.setCookies[0]?.split(';')[0] ?? '');
  expect(await admin.client.call(getOidc, {})).toMatchObject({ redirect_uri: `https://pics.example.org${CALLBACK}` });
  await signOnWith(admin, provider);
  const start = await rawRequest(`${proxied.url}/api/v1/auth/oidc/start`, { headers: { host: '127.0.0.1' } });
  expect(start.header('location')).toBe('https://pics.example.org/api/v1/auth/oidc/start?moved=1&next=%2F');
  const atBase = await rawRequest(`${proxied.url}/api/v1/auth/oidc/start`, { headers: { host: 'pics.example.org' } });
  expect(new URL(atBase.header('location') ?? '').searchParams.get('redirect_uri')).toBe(`https://pics.example.org${CALLBACK}`);
});
