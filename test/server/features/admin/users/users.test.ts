import { describe, expect, it } from 'vitest';
import * as auditApi from '#api/admin/audit.ts';
import * as groupsApi from '#api/admin/groups.ts';
import * as api from '#api/admin/users.ts';
import * as authApi from '#api/auth/auth.ts';
import { getLimits } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { listImages } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn, uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

const PASSWORD = 'a password of some length';

const create = (username: string, more: { role?: 'user' | 'admin' } = {}) =>
  owner.client.call(api.createUser, { body: { username, email: `${username}@example.org`, password: PASSWORD, ...more } });
const change = (id: number, body: Parameters<typeof owner.client.call<typeof api.changeUser>>[1]['body'], by: SignedIn = owner) =>
  by.client.call(api.changeUser, { params: { id: String(id) }, body });

const logIn = (login: string, password = PASSWORD) => newSession(service, login, password);

async function ownId(): Promise<number> {
  const { items } = await owner.client.call(api.listUsers, { query: { q: OWNER.username } });
  return items[0]?.id as number;
}

describe('creating accounts', () => {
  it('creates one in the default group that can sign in', async () => {
    const account = await create('dora');
    expect(account).toMatchObject({
      username: 'dora',
      role: 'user',
      email_source: 'admin',
      group: { name: 'Users' },
      disabled: false,
      last_seen_at: null,
    });
    expect(account).not.toHaveProperty('password_hash');
    await logIn('dora@example.org');
  });

  it('refuses a taken name or address, whatever its case, and names the field', async () => {
    await create('Erik');
    await expect(
      owner.client.call(api.createUser, { body: { username: 'ERIK', email: 'other@example.org', password: PASSWORD } }),
    ).rejects.toMatchObject({ code: 'conflict', details: { field: 'username' } });
    await expect(
      owner.client.call(api.createUser, { body: { username: 'other', email: 'erik@EXAMPLE.org', password: PASSWORD } }),
    ).rejects.toMatchObject({ code: 'conflict', details: { field: 'email' } });
  });

  it.each([
    ['a short password', { password: 'short' }, 'password'],
    ['a broken address', { email: 'nowhere' }, 'email'],
    ['an unknown role', { role: 'root' }, 'role'],
    ['an unknown group', { group_id: 999 }, 'group_id'],
    ['the guests’ group', { group_id: 3 }, 'group_id'],
    ['the owner’s group', { group_id: 1 }, 'group_id'],
  ])('refuses %s', async (_what, wrong, field) => {
    const body = { username: 'frank', email: 'frank@example.org', password: PASSWORD, ...wrong };
    const response = await owner.fetch('/api/v1/admin/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { data: { code: 'invalid_request', field } }]);
  });
});

describe('listing accounts', () => {
  it('pages through all accounts and finds parts of names and addresses literally', async () => {
    for (const name of ['list_one', 'list_two', 'listXone']) await create(name);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await owner.client.call(api.listUsers, { query: { limit: 2, ...(cursor && { cursor }) } });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ username }) => username));
      cursor = page.next_cursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(['ada', 'list_one', 'list_two', 'listXone']));
    const found = await owner.client.call(api.listUsers, { query: { q: 'LIST_ONE' } });
    expect(found.items.map(({ username }) => username)).toEqual(['list_one']);
    expect((await owner.client.call(api.listUsers, { query: { q: '%' } })).items).toEqual([]);
  });
});

describe('disabling an account', () => {
  it('ends its sessions and tokens at once and permanently, and keeps its links', async () => {
    const { id } = await create('gina');
    const gina = await logIn('gina');
    const token = await gina.token('upload');
    const image = await uploadImage(service, token, await photoJpeg({ seed: 1 }));

    expect(await change(id, { disabled: true })).toMatchObject({ disabled: true });
    expect((await gina.fetch('/api/v1/images')).status).toBe(401);
    await expect(uploadImage(service, token, await photoJpeg({ seed: 2 }))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(logIn('gina')).rejects.toMatchObject({ status: 401 });
    expect((await fetch(image.links.url)).status).toBe(200);

    expect(await change(id, { disabled: false })).toMatchObject({ disabled: false });
    expect((await gina.fetch('/api/v1/images')).status).toBe(401);
    await expect(uploadImage(service, token, await photoJpeg({ seed: 2 }))).rejects.toMatchObject({ code: 'unauthorized' });
    await logIn('gina');
  });

  it('is refused for the owner, as are demoting, regrouping and taking over', async () => {
    const id = await ownId();
    await create('hal', { role: 'admin' });
    const hal = await logIn('hal');
    for (const by of [owner, hal]) {
      await expect(change(id, { disabled: true }, by)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(change(id, { role: 'user' }, by)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(change(id, { group_id: 2 }, by)).rejects.toMatchObject({ code: 'forbidden' });
    }
    await expect(change(id, { email: 'hal@evil.example' }, hal)).rejects.toMatchObject({ code: 'forbidden' });
    const reset = hal.client.call(api.resetUserPassword, { params: { id: String(id) }, body: { password: PASSWORD } });
    await expect(reset).rejects.toMatchObject({ code: 'forbidden' });
    await logIn(OWNER.username, OWNER.password);
  });

  it('is refused to admins for their own account', async () => {
    const { id } = await create('ines', { role: 'admin' });
    await expect(change(id, { disabled: true }, await logIn('ines'))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('changing an account', () => {
  it('moves it to another group, whose limits apply from the next upload', async () => {
    const group = await owner.client.call(groupsApi.createGroup, { body: { name: 'Small', max_file_bytes: 2000 } });
    const { id } = await create('jo');
    const jo = await logIn('jo');
    await change(id, { group_id: group.id });
    expect(await jo.client.call(getLimits, {})).toMatchObject({ group: 'Small', max_file_bytes: 2000 });
  });

  it('treats an address set by an admin as verified, and refuses a taken one', async () => {
    const { id } = await create('kim');
    expect(await change(id, { email: 'new@example.org' })).toMatchObject({ email: 'new@example.org', email_source: 'admin' });
    await expect(change(id, { email: OWNER.email })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('reports an unknown one as not found', async () => {
    await expect(change(99_999, { role: 'admin' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(owner.client.call(api.getUser, { params: { id: '99999' } })).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('ends all sessions when an admin resets a password; only the new one works', async () => {
  const { id } = await create('lou');
  const lou = await logIn('lou');
  await owner.client.call(api.resetUserPassword, { params: { id: String(id) }, body: { password: 'quite another one' } });
  expect((await lou.fetch('/api/v1/images')).status).toBe(401);
  await expect(logIn('lou')).rejects.toMatchObject({ status: 401 });
  await logIn('lou', 'quite another one');
});

describe('transferring pictures', () => {
  it('moves pictures, trash and albums with their sizes, and keeps links', async () => {
    const from = await create('max');
    const to = await create('nora');
    const [max, nora] = [await logIn('max'), await logIn('nora')];
    const token = await max.token('full');
    const json = { 'content-type': 'application/json' };
    const album = (await (await max.fetch('/api/v1/albums', { method: 'POST', headers: json, body: '{"name":"Trip"}' })).json()) as {
      data: { id: string };
    };
    const kept = await uploadImage(service, token, await photoJpeg({ seed: 11 }), { album_id: album.data.id, visibility: 'private' });
    const trashed = await uploadImage(service, token, await photoJpeg({ seed: 12 }));
    await max.fetch(`/api/v1/images/${trashed.key}`, { method: 'DELETE' });

    const moved = await owner.client.call(api.transferUser, { params: { id: String(from.id) }, body: { to_user_id: to.id } });
    expect(moved).toEqual({ images: 2, albums: 1, bytes: kept.size + trashed.size });
    expect((await nora.client.call(listImages, { query: {} })).items.map(({ key, album_id }) => [key, album_id])).toEqual([
      [kept.key, album.data.id],
    ]);
    expect((await max.client.call(listImages, { query: {} })).items).toEqual([]);
    const found = async (who: SignedIn) => (await who.client.call(listImages, { query: { q: 'photo' } })).items.map(({ key }) => key);
    expect([await found(nora), await found(max)]).toEqual([[kept.key], []]);
    expect(await nora.client.call(getLimits, {})).toMatchObject({ storage_used_bytes: kept.size + trashed.size, image_count: 1 });
    expect(await max.client.call(getLimits, {})).toMatchObject({ storage_used_bytes: 0, image_count: 0 });
    expect((await nora.fetch(new URL(kept.links.url).pathname)).status).toBe(200);
    expect((await max.fetch(new URL(kept.links.url).pathname)).status).toBe(404);
  });

  it('is refused without another account as the target', async () => {
    const id = await ownId();
    for (const to of [id, 99_999]) {
      const request = owner.client.call(api.transferUser, { params: { id: String(id) }, body: { to_user_id: to } });
      await expect(request).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'to_user_id' } });
    }
  });
});

describe('the audit log', () => {
  it('records actor, action, target and address, but no secrets', async () => {
    const { id } = await create('otto');
    await change(id, { disabled: true });
    await owner.client.call(api.resetUserPassword, { params: { id: String(id) }, body: { password: 'never to be written down' } });
    const { items } = await owner.client.call(auditApi.listAudit, { query: { limit: 3 } });
    expect(items.map(({ action, target, actor }) => [action, target, actor?.username])).toEqual([
      ['user.password_reset', 'otto', 'ada'],
      ['user.disabled', 'otto', 'ada'],
      ['user.created', 'otto', 'ada'],
    ]);
    expect(items[0]?.address).toMatch(/127\.0\.0\.1/);
    expect(JSON.stringify(items)).not.toMatch(/never to be written down|password_hash|\$argon2/);
  });

  it('stores a hostile user agent as harmless text', async () => {
    const hostile = '"><script>alert(1)</script>';
    const client = createClient({
      baseUrl: service.url,
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: {
            ...Object.fromEntries(new Headers(init?.headers)),
            cookie: owner.cookie,
            'user-agent': `${hostile}${'x'.repeat(2000)}`,
          },
        }),
    });
    await client.call(api.createUser, { body: { username: 'pia', email: 'pia@example.org', password: PASSWORD } });
    const response = await owner.fetch('/api/v1/admin/audit?limit=1');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const entry = ((await response.json()) as { data: { items: { user_agent: string }[] } }).data.items[0];
    expect(entry?.user_agent).toHaveLength(300);
    expect(entry?.user_agent.startsWith(hostile)).toBe(true);
  });

  it('is paged and filtered', async () => {
    const created = await owner.client.call(auditApi.listAudit, { query: { action: 'user.created', limit: 2 } });
    expect(created.items.every(({ action }) => action === 'user.created')).toBe(true);
    const next = await owner.client.call(auditApi.listAudit, {
      query: { action: 'user.created', limit: 2, cursor: created.next_cursor as string },
    });
    expect(Math.max(...next.items.map(({ id }) => id))).toBeLessThan(Math.min(...created.items.map(({ id }) => id)));
    expect((await owner.client.call(auditApi.listAudit, { query: { actor_id: 4242 } })).items).toEqual([]);
  });
});

it('shows an account created by an admin like any other in the session', async () => {
  await create('quinn');
  const quinn = await logIn('quinn');
  expect(await quinn.client.call(authApi.getSession, {})).toMatchObject({ user: { username: 'quinn', role: 'user', is_owner: false } });
});
