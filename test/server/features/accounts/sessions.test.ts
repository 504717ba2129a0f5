import { describe, expect, it } from 'vitest';
import { openSession } from '#server/core/accounts/sessions.ts';
import { hashSecret } from '#server/platform/base/secret-text.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn } from '#test/helpers/service/service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const { service, owner: firstOwner } = await startFileService();
let owner = firstOwner;
const bea = await addUser(service, 'bea');
let other: SignedIn = bea;

const signInAgain = (userAgent = 'a browser') => newSession(service, OWNER.username, OWNER.password, { 'user-agent': userAgent });

const secretOf = ({ cookie }: SignedIn) => cookie.split('=')[1] ?? '';
const whoIs = async (cookie: string) => {
  const response = await rawRequest(`${service.url}/api/v1/auth/session`, { headers: { cookie } });
  return { response, user: response.data.user as { username: string } | null };
};

/** Backdates a session. */
const age = (session: SignedIn, changes: { last_seen_at?: number; expires_at?: number }) =>
  withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .updateTable('sessions')
        .set(changes)
        .where('secret_hash', '=', hashSecret(secretOf(session)))
        .execute(),
    ),
  );
const rowOf = (session: SignedIn) =>
  withDatabase(service, (db) =>
    db.read
      .selectFrom('sessions')
      .selectAll()
      .where('secret_hash', '=', hashSecret(secretOf(session)))
      .executeTakeFirst(),
  );

describe('a session', () => {
  it('is stored as a hash only', async () => {
    const session = await signInAgain();
    const rows = await withDatabase(service, (db) => db.read.selectFrom('sessions').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(secretOf(session));
    expect(await rowOf(session)).toBeDefined();
  });

  it('lasts thirty days after its last use, and its cookie with it', async () => {
    const session = await signInAgain();
    const now = Date.now();
    await age(session, { last_seen_at: now - 2 * HOUR, expires_at: now + HOUR });
    const { response, user } = await whoIs(session.cookie);
    expect(user?.username).toBe(OWNER.username);
    const expires = Date.parse(/Expires=([^;]+)/.exec(response.setCookies[0] ?? '')?.[1] ?? '');
    expect(expires).toBeGreaterThan(now + 30 * DAY - HOUR);
    expect((await rowOf(session))?.expires_at).toBeGreaterThan(now + 30 * DAY - HOUR);
    // Not at every request, so that reads don't write.
    expect((await whoIs(session.cookie)).response.setCookies).toEqual([]);
  });

  it('ends when it expires: its cookie is cleared and the client signed out', async () => {
    const session = await signInAgain();
    await age(session, { expires_at: Date.now() - 1 });
    const { response, user } = await whoIs(session.cookie);
    expect(response.status).toBe(200);
    expect(user).toBeNull();
    expect(response.setCookies[0]).toMatch(/^pixdock_session=;.*Expires=Thu, 01 Jan 1970/);
    const limits = await rawRequest(`${service.url}/api/v1/user/limits`, { headers: { cookie: session.cookie } });
    expect(limits).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('ends when the user signs out; signing out twice is not an error', async () => {
    const session = await signInAgain();
    for (let time = 0; time < 2; time++) {
      const response = await rawRequest(`${service.url}/api/v1/auth/logout`, { method: 'POST', headers: { cookie: session.cookie } });
      expect(response.status).toBe(200);
      expect(response.setCookies[0]).toMatch(/^pixdock_session=;/);
    }
    expect((await whoIs(session.cookie)).user).toBeNull();
  });

  it('survives a restart of the service', async () => {
    const session = await signInAgain();
    await service.restart();
    expect((await whoIs(session.cookie)).user?.username).toBe(OWNER.username);
  });
});

it('counts at most a hundred of a user: the one that hasn’t been used for longest ends', async () => {
  const sessions = await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const opened = [];
      for (let count = 0; count < 100; count++) opened.push(await openSession(queries, bea.id, { address: '', userAgent: '' }));
      return opened;
    }),
  );
  expect((await whoIs(other.cookie)).user).toBeNull();
  expect((await whoIs(`pixdock_session=${sessions[0]?.secret}`)).user?.username).toBe('bea');
  other = await newSession(service, 'bea', USER_PASSWORD);
  expect((await whoIs(`pixdock_session=${sessions[0]?.secret}`)).user).toBeNull();
  expect((await whoIs(other.cookie)).user?.username).toBe('bea');
  await other.fetch('/api/v1/user/sessions', { method: 'DELETE' });
});

describe('a cookie without a session', () => {
  const dead = 'pixdock_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nx\r\n--b--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };

  it('makes an upload fail with 401 instead of becoming a guest’s, and is cleared', async () => {
    const response = await rawRequest(`${service.url}/api/v1/upload`, {
      method: 'POST',
      headers: { ...headers, cookie: dead },
      body: form,
    });
    expect(response).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(response.setCookies[0]).toMatch(/^pixdock_session=;/);
    const guest = await rawRequest(`${service.url}/api/v1/upload`, { method: 'POST', headers, body: form });
    expect(guest).toMatchObject({ status: 403, code: 'guest_disabled' });
  });

  it.each(['/api/v1/config', '/api/v1/auth/session', '/healthz', '/i/abcdefghijkl.jpg', '/api/v1/s/abcdefghijkl'])(
    'counts as absent on %s',
    async (path) => {
      const [withIt, without] = [
        await rawRequest(`${service.url}${path}`, { headers: { cookie: dead } }),
        await rawRequest(`${service.url}${path}`),
      ];
      expect(withIt.status).toBe(without.status);
      expect(without.setCookies).toEqual([]); // strangers get no cookie
    },
  );

  it.each(['pixdock_session=', 'pixdock_session=%00', `pixdock_session=${'x'.repeat(4000)}`, 'pixdock_session', ';;;=;', '=x'])(
    'is harmless, whatever its value: %.40j',
    async (cookie) => {
      expect((await whoIs(cookie)).response.status).toBe(200);
    },
  );

  it('yields to a bearer token', async () => {
    const authorization = `Bearer ${await owner.token('full')}`;
    const response = await rawRequest(`${service.url}/api/v1/user/limits`, { headers: { cookie: dead, authorization } });
    expect(response.status).toBe(200);
  });
});

describe('the list of sessions', () => {
  const list = async (who: SignedIn) => (await (await who.fetch('/api/v1/user/sessions')).json()).data.items as Listed[];
  interface Listed {
    id: number;
    current: boolean;
    user_agent: string;
    address: string;
  }

  it('shows the user’s own, newest first, and marks the current one', async () => {
    const session = await signInAgain('Mozilla/5.0 <script>alert(1)</script>');
    const items = await list(session);
    expect(items.length).toBeGreaterThan(1);
    expect(items[0]).toMatchObject({ current: true, address: '127.0.0.1', user_agent: 'Mozilla/5.0 <script>alert(1)</script>' });
    expect(items.filter(({ current }) => current)).toHaveLength(1);
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(JSON.stringify(items)).not.toContain(hashSecret(secretOf(session)));
    expect(await list(other)).toHaveLength(1);
  });

  it('continues after the last entry of a page', async () => {
    const all = await list(owner);
    const first = (await (await owner.fetch('/api/v1/user/sessions?limit=1')).json()).data;
    const second = (await (await owner.fetch(`/api/v1/user/sessions?limit=1&cursor=${first.next_cursor}`)).json()).data;
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.slice(0, 2).map(({ id }) => id));
    expect((await owner.fetch('/api/v1/user/sessions?cursor=nonsense')).status).toBe(400);
  });

  it('ends one at once, never another user’s', async () => {
    const session = await signInAgain();
    const id = (await list(session)).find(({ current }) => current)?.id;
    expect((await other.fetch(`/api/v1/user/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await whoIs(session.cookie)).user).not.toBeNull();
    expect((await owner.fetch(`/api/v1/user/sessions/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await whoIs(session.cookie)).user).toBeNull();
    expect((await owner.fetch(`/api/v1/user/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('ends all others of the same user', async () => {
    const session = await signInAgain();
    expect((await session.fetch('/api/v1/user/sessions', { method: 'DELETE' })).status).toBe(200);
    expect(await list(session)).toHaveLength(1);
    expect((await whoIs(owner.cookie)).user).toBeNull();
    expect((await whoIs(other.cookie)).user?.username).toBe('bea');
    owner = session;
  });

  it('is closed to guests and upload tokens', async () => {
    const upload = { authorization: `Bearer ${await owner.token('upload')}` };
    for (const path of ['/api/v1/user/sessions', '/api/v1/user']) {
      expect((await rawRequest(`${service.url}${path}`)).status).toBe(401);
      expect((await rawRequest(`${service.url}${path}`, { headers: upload })).code).toBe('forbidden');
    }
  });
});
