import { beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { createInvite, deleteInvite, listInvites } from '#api/auth/invites.ts';
import type { Settings } from '#server/core/settings/settings.ts';
import { writeSettings } from '#server/core/settings/settings.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService({ trustProxy: ['127.0.0.1'] });

async function setMode(registration_mode: Settings['registration_mode']) {
  await withDatabase(service, (db) => db.as('job').write((queries) => writeSettings(queries, { registration_mode })));
  await service.restart();
}

let people = 0;
const newUser = () => {
  const username = `new-user-${++people}`;
  return { username, email: `${username}@example.net`, password: 'long enough now' };
};
const register = (body: unknown, address = `198.51.100.${people % 250}`) =>
  rawRequest(`${service.url}/api/v1/auth/register`, { method: 'POST', headers: { 'x-forwarded-for': address }, body });
const invite = (options: { email?: string; group_id?: number; expires_in?: number } = {}) =>
  owner.client.call(createInvite, { body: options });
const rowOf = (username: string) =>
  withDatabase(service, (db) => db.read.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst());
const groupId = (kind: 'default' | 'owner' | 'guest') =>
  withDatabase(
    service,
    async (db) => (await db.read.selectFrom('groups').select('id').where('kind', '=', kind).executeTakeFirstOrThrow()).id,
  );

describe('closed registration, the default', () => {
  it('refuses everyone, even with an invite', async () => {
    const { code } = await invite();
    for (const body of [newUser(), { ...newUser(), invite: code }]) {
      expect(await register(body)).toMatchObject({ status: 403, code: 'forbidden', setCookies: [] });
    }
  });
});

describe('open registration', () => {
  beforeAll(() => setMode('open'));

  it('creates a user without rights in the default group and signs them in', async () => {
    const person = newUser();
    const response = await register(person);
    expect(response.status).toBe(200);
    expect(response.data.user).toMatchObject({ username: person.username, email: person.email, role: 'user', is_owner: false });
    const session = await rawRequest(`${service.url}/api/v1/auth/session`, {
      headers: { cookie: response.setCookies[0]?.split(';')[0] ?? '' },
    });
    expect(session.data.user).toMatchObject({ username: person.username });
    expect(await rowOf(person.username)).toMatchObject({ group_id: await groupId('default'), email_source: 'user', is_owner: 0 });
  });

  it('ignores fields that would grant more', async () => {
    const person = newUser();
    const response = await register({ ...person, role: 'admin', is_owner: true, group_id: await groupId('owner'), email_source: 'admin' });
    expect(response.data.user).toMatchObject({ role: 'user', is_owner: false });
    expect(await rowOf(person.username)).toMatchObject({ group_id: await groupId('default'), email_source: 'user', role: 'user' });
  });

  it.each([
    ['username', OWNER.username.toUpperCase()],
    ['email', OWNER.email.toUpperCase()],
  ])('reports a taken %s', async (field, value) => {
    const response = await register({ ...newUser(), [field]: value });
    expect(response).toMatchObject({ status: 409, code: 'conflict', setCookies: [] });
    expect(response.data.field).toBe(field);
  });

  it('creates one account from concurrent requests', async () => {
    const person = newUser();
    const responses = await Promise.all(Array.from({ length: 8 }, () => register(person)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'conflict')).toHaveLength(7);
  });

  it('allows thirty attempts an hour from one address', async () => {
    const tries = await Promise.all(
      Array.from({ length: 32 }, () => register({ ...newUser(), username: OWNER.username, invite: 'nonsense' }, '203.0.113.30')),
    );
    const refused = tries.filter(({ code }) => code === 'rate_limited');
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]?.header('retry-after'))).toBeGreaterThan(0);
    expect((await register(newUser(), '203.0.113.31')).status).toBe(200);
  });
});

describe('registration by invite', () => {
  beforeAll(() => setMode('invite'));

  it('requires an invite', async () => {
    for (const wrong of [{}, { invite: 'AAAAAAAAAAAAAAAAAAAAAAAA' }]) {
      expect(await register({ ...newUser(), ...wrong })).toMatchObject({ status: 403, code: 'forbidden', setCookies: [] });
    }
  });

  it('accepts an invite once, even from concurrent requests', async () => {
    const { code, url, id } = await invite();
    expect(url).toBe(`${service.linkAddress}/register?invite=${code}`);
    const responses = await Promise.all(Array.from({ length: 6 }, () => register({ ...newUser(), invite: code })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(5);
    const used = (await owner.client.call(listInvites, { query: {} })).items.find((item) => item.id === id);
    const joined = responses.find(({ status }) => status === 200)?.data.user as { id: number };
    expect(used).toMatchObject({ used_by: joined.id, used_at: expect.any(String) });
  });

  it('checks an invite without using it, and says only whether it can still be used', async () => {
    const address = '203.0.113.40';
    const check = (code: string, from = address) =>
      rawRequest(`${service.url}/api/v1/auth/invite`, { method: 'POST', headers: { 'x-forwarded-for': from }, body: { invite: code } });
    const restricted = await invite({ email: 'mia@example.net' });
    const used = await invite();
    expect((await register({ ...newUser(), invite: used.code })).status).toBe(200);
    const revoked = await invite();
    await owner.client.call(deleteInvite, { params: { id: revoked.id } });
    const expired = await invite();
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('invites').set({ expires_at: 1 }).where('id', '=', expired.id).execute()),
    );
    const unknown = await register({ ...newUser(), invite: 'AAAAAAAAAAAAAAAAAAAAAAAA' });
    for (const code of [used.code, revoked.code, expired.code, 'AAAAAAAAAAAAAAAAAAAAAAAA'])
      expect(await check(code)).toMatchObject({ status: 403, body: unknown.body });
    // Valid ones aren't attempts: a whole office may open its links.
    for (let time = 0; time < 30; time += 1) expect(await check(restricted.code)).toMatchObject({ status: 200, data: {} });
    const guesses = await Promise.all(Array.from({ length: 28 }, () => check('nonsense')));
    expect(guesses.filter(({ code }) => code === 'rate_limited')).toHaveLength(2);
    expect(await register({ ...newUser(), invite: 'nonsense' }, address)).toMatchObject({ code: 'rate_limited' });
    expect((await register({ ...newUser(), email: 'mia@example.net', invite: restricted.code })).status).toBe(200);
  });

  it('does not use up the invite when registration fails', async () => {
    const { code } = await invite();
    expect((await register({ ...newUser(), username: OWNER.username, invite: code })).code).toBe('conflict');
    expect((await register({ ...newUser(), invite: code })).status).toBe(200);
  });

  it('assigns the group of the invite', async () => {
    const group_id = await withDatabase(service, (db) =>
      db.as('job').write(async (queries) => {
        const { id: _, ...like } = await queries.selectFrom('groups').selectAll().where('kind', '=', 'default').executeTakeFirstOrThrow();
        const group = { ...like, kind: 'custom' as const, name: 'Press' };
        return (await queries.insertInto('groups').values(group).returning('id').executeTakeFirstOrThrow()).id;
      }),
    );
    const { code } = await invite({ group_id });
    const person = newUser();
    await register({ ...person, invite: code });
    expect(await rowOf(person.username)).toMatchObject({ group_id });
  });

  it('accepts only the address of the invite, which then counts as verified', async () => {
    const { code } = await invite({ email: 'Nina@example.net' });
    expect((await register({ ...newUser(), invite: code })).code).toBe('forbidden');
    expect((await register({ ...newUser(), username: 'nina', email: 'nina@EXAMPLE.net', invite: code })).status).toBe(200);
    expect(await rowOf('nina')).toMatchObject({ email_source: 'admin' });
  });

  it('refuses an expired and a revoked invite', async () => {
    const [late, withdrawn] = [await invite({ expires_in: 60 }), await invite()];
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('invites').set({ expires_at: 1 }).where('id', '=', late.id).execute()),
    );
    await owner.client.call(deleteInvite, { params: { id: withdrawn.id } });
    for (const { code } of [late, withdrawn]) expect((await register({ ...newUser(), invite: code })).code).toBe('forbidden');
    await expect(owner.client.call(deleteInvite, { params: { id: withdrawn.id } })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('invites', () => {
  it('are stored as hashes; their codes are shown once', async () => {
    const { code } = await invite();
    const rows = await withDatabase(service, (db) => db.read.selectFrom('invites').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(await owner.client.call(listInvites, { query: {} }))).not.toContain(code);
  });

  it.each(['guest', 'owner'] as const)('cannot assign the group of kind %s', async (kind) => {
    await expect(invite({ group_id: await groupId(kind) })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'group_id' },
    });
  });

  it('and their use are in the audit log, without codes', async () => {
    const { code } = await invite({ email: 'logged@example.net' });
    await register({ ...newUser(), username: 'logged', email: 'logged@example.net', invite: code }, '198.51.100.77');
    const { items } = await owner.client.call(listAudit, { query: {} });
    expect(items[0]).toMatchObject({ action: 'user.signed_in', target: 'logged' });
    expect(items[1]).toMatchObject({
      action: 'user.registered',
      actor: { username: 'logged' },
      target: 'logged',
      address: '198.51.100.77',
    });
    expect(items[2]).toMatchObject({ action: 'invite.created', actor: { username: OWNER.username }, target: 'logged@example.net' });
    expect(JSON.stringify(items)).not.toContain(code);
  });

  it('can be managed by admins only', async () => {
    const user = await addUser(service, 'bea');
    const admin = await addUser(service, 'root', 'admin');
    const call = (headers: Record<string, string>) => rawRequest(`${service.url}/api/v1/admin/invites`, { headers });
    expect((await call({})).status).toBe(401);
    expect((await call({ cookie: user.cookie })).code).toBe('forbidden');
    expect((await call({ authorization: `Bearer ${await admin.token('full')}` })).code).toBe('forbidden');
    expect((await call({ authorization: `Bearer ${await admin.token('upload')}` })).code).toBe('forbidden');
    expect((await call({ cookie: admin.cookie })).status).toBe(200);
  });
});
