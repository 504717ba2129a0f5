import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createToken, listTokens, revokeToken } from '#api/auth/tokens.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const other = await addUser(service, 'bea');

const call = (authorization: string, path: string, method = 'GET', body?: unknown) =>
  rawRequest(`${service.url}/api/v1${path}`, { method, headers: { authorization }, body });
const create = (who: SignedIn, scope: 'upload' | 'full', expires_in = 0) =>
  who.client.call(createToken, { body: { name: 'a script', scope, expires_in } });
const listed = async (who: SignedIn) => (await who.client.call(listTokens, { query: {} })).items;

describe('a token', () => {
  it('is shown once and stored as its SHA-256', async () => {
    const { token } = await create(owner, 'upload');
    expect(token).toMatch(/^pxd_[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(await listed(owner))).not.toContain(token);
    const rows = await withDatabase(service, (db) => db.read.selectFrom('tokens').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(rows.map((row) => row.secret_hash)).toContain(hash('sha256', token));
  });

  it('records when it was last used', async () => {
    const { token, id } = await create(owner, 'upload');
    const find = async () => (await listed(owner)).find((item) => item.id === id);
    expect((await find())?.last_used_at).toBeNull();
    await call(`Bearer ${token}`, '/user/limits');
    expect(Date.parse((await find())?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('identifies the caller, whatever cookie is sent with it', async () => {
    const { token } = await create(owner, 'full');
    const headers = { authorization: `Bearer ${token}`, cookie: other.cookie };
    expect((await rawRequest(`${service.url}/api/v1/user`, { headers })).data.username).toBe('ada');
  });

  it('expires', async () => {
    const { token, expires_at } = await create(owner, 'full', 60);
    expect(Math.abs(Date.parse(expires_at ?? '') - Date.now() - 60_000)).toBeLessThan(10_000);
    expect((await call(`Bearer ${token}`, '/user')).status).toBe(200);
    await withDatabase(service, (db) =>
      db.as('job').write((queries) =>
        queries
          .updateTable('tokens')
          .set({ expires_at: Date.now() - 1 })
          .where('secret_hash', '=', hash('sha256', token))
          .execute(),
      ),
    );
    expect((await call(`Bearer ${token}`, '/user')).code).toBe('unauthorized');
  });

  it('stops working at once when its owner, and only its owner, revokes it', async () => {
    const { token, id } = await create(owner, 'full');
    await expect(other.client.call(revokeToken, { params: { id } })).rejects.toMatchObject({ code: 'not_found' });
    expect((await call(`Bearer ${token}`, '/user')).status).toBe(200);
    await owner.client.call(revokeToken, { params: { id } });
    expect((await call(`Bearer ${token}`, '/user')).code).toBe('unauthorized');
  });

  it('stops working with its user', async () => {
    const gone = await addUser(service, 'gone');
    const { token } = await create(gone, 'full');
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('users').set({ disabled_at: 1 }).where('id', '=', gone.id).execute()),
    );
    expect((await call(`Bearer ${token}`, '/user')).code).toBe('unauthorized');
    expect((await gone.fetch('/api/v1/user')).status).toBe(401);
  });
});

describe('an Authorization header that does not resolve', () => {
  const [unknown, short] = [`Bearer pxd_${'A'.repeat(43)}`, 'Bearer pxd_short'];
  it.each([unknown, short, 'Bearer', 'Bearer ', 'Basic YWRhOng=', 'pxd_x', 'null', "Bearer ' or 1=1 --", ''])(
    'is 401 everywhere, never a guest: %j',
    async (authorization) => {
      for (const [path, method] of [
        ['/config', 'GET'],
        ['/auth/session', 'GET'],
        ['/user/limits', 'GET'],
        ['/upload', 'POST'],
      ] as const) {
        expect(await call(authorization, path, method)).toMatchObject({ status: 401, code: 'unauthorized' });
      }
    },
  );

  it('is refused with 401 even with a valid cookie', async () => {
    const headers = { authorization: unknown, cookie: owner.cookie };
    expect((await rawRequest(`${service.url}/api/v1/user/limits`, { headers })).code).toBe('unauthorized');
  });
});

describe('scopes', () => {
  it('limit an upload token to uploads and limits', async () => {
    const authorization = `Bearer ${await owner.token('upload')}`;
    expect((await call(authorization, '/user/limits')).status).toBe(200);
    expect((await call(authorization, '/upload', 'POST')).code).toBe('unsupported_media_type'); // it would be allowed
    for (const [method, path, body] of [
      ['GET', '/images'],
      ['GET', '/user'],
      ['PATCH', '/user', { username: 'x' }],
      ['PATCH', '/user/preferences', { visibility: 'private' }],
      ['GET', '/user/sessions'],
      ['DELETE', '/user/sessions'],
      ['GET', '/user/tokens'],
      ['POST', '/user/tokens', { name: 'x', scope: 'full' }],
      ['PUT', '/user/password', { new_password: 'a brand new password' }],
      ['DELETE', '/user', {}],
      ['GET', '/admin/oidc'],
      ['GET', '/admin/invites'],
    ] as const) {
      expect(await call(authorization, path, method, body), `${method} ${path}`).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  it('keep a full token from tokens, the password, the e-mail address and administration', async () => {
    const authorization = `Bearer ${await owner.token('full')}`;
    expect((await call(authorization, '/user')).status).toBe(200);
    expect((await call(authorization, '/user/sessions')).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', '/user/tokens'],
      ['POST', '/user/tokens', { name: 'x', scope: 'full' }],
      ['DELETE', '/user/tokens/1'],
      ['PUT', '/user/password', { new_password: 'a brand new password' }],
      ['DELETE', '/user', {}],
      ['PATCH', '/user', { email: 'mine@example.org' }],
      ['GET', '/admin/oidc'],
      ['PUT', '/admin/oidc', { enabled: false, issuer: '', client_id: '' }],
      ['POST', '/admin/invites', {}],
    ] as const) {
      expect(await call(authorization, path, method, body), `${method} ${path}`).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  it('other than these two are refused', async () => {
    for (const scope of ['admin', '', null, ['full']]) {
      const response = await rawRequest(`${service.url}/api/v1/user/tokens`, {
        method: 'POST',
        headers: { cookie: owner.cookie },
        body: { name: 'x', scope },
      });
      expect(response.data).toMatchObject({ code: 'invalid_request', field: 'scope' });
    }
  });
});
