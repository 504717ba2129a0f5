import { describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import * as admin from '#api/admin/users.ts';
import { listTokens } from '#api/auth/tokens.ts';
import { changePassword, endAccess, listSessions } from '#api/auth/user.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { addUser, USER_PASSWORD } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn } from '#test/helpers/service/service.ts';

const NEW_PASSWORD = 'a password never seen before';
const { service, owner } = await startFileService();
const hal = await addUser(service, 'hal', 'admin');

let number = 0;
/** A user of the test's own with a second session and a token of each scope. */
async function someone() {
  const user = await addUser(service, `user-${++number}`);
  return {
    ...user,
    other: await newSession(service, `user-${number}`, USER_PASSWORD),
    tokens: [await user.token('upload'), await user.token('full')],
  };
}

const isSignedIn = async ({ cookie }: SignedIn) =>
  (await rawRequest(`${service.url}/api/v1/auth/session`, { headers: { cookie } })).data.user !== null;
const accepted = (tokens: string[]) =>
  Promise.all(
    tokens.map(async (token) => {
      const { status } = await rawRequest(`${service.url}/api/v1/user/limits`, { headers: { authorization: `Bearer ${token}` } });
      return status === 200;
    }),
  );

describe('changing the password', () => {
  const change = { current_password: USER_PASSWORD, new_password: NEW_PASSWORD };

  it('ends the other sessions and keeps the tokens', async () => {
    const user = await someone();
    await user.client.call(changePassword, { body: change });
    expect([await isSignedIn(user), await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([true, false, [true, true]]);
  });

  it('revokes the tokens on request, and only the user’s own', async () => {
    const [user, neighbour] = [await someone(), await someone()];
    await user.client.call(changePassword, { body: { ...change, revoke_tokens: true } });
    expect([await isSignedIn(user), await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([true, false, [false, false]]);
    expect(await accepted(neighbour.tokens)).toEqual([true, true]);
  });

  it('revokes nothing when it is refused', async () => {
    const user = await someone();
    const body = { ...change, current_password: 'not the password', revoke_tokens: true };
    await expect(user.client.call(changePassword, { body })).rejects.toMatchObject({ code: 'wrong_password' });
    expect([await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([true, [true, true]]);
  });
});

describe('a reset by an admin', () => {
  it('revokes the tokens, unless the admin keeps them', async () => {
    const [user, trusted] = [await someone(), await someone()];
    const reset = (id: number, body: object) =>
      hal.client.call(admin.resetUserPassword, { params: { id: String(id) }, body: { password: NEW_PASSWORD, ...body } });
    await reset(user.id, {});
    await reset(trusted.id, { revoke_tokens: false });
    expect([await isSignedIn(user), await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([false, false, [false, false]]);
    expect([await isSignedIn(trusted), await accepted(trusted.tokens)]).toEqual([false, [true, true]]);
  });
});

describe('ending everything', () => {
  it('ends the user’s other sessions and tokens, and no one else’s', async () => {
    const [user, neighbour] = [await someone(), await someone()];
    expect(await user.client.call(endAccess, {})).toEqual({ sessions: 1, tokens: 2 });
    expect([await isSignedIn(user), await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([true, false, [false, false]]);
    expect((await user.client.call(listSessions, { query: {} })).items).toMatchObject([{ current: true }]);
    expect((await user.client.call(listTokens, { query: {} })).items).toEqual([]);
    expect([await isSignedIn(neighbour.other), await accepted(neighbour.tokens)]).toEqual([true, [true, true]]);
    expect(await user.client.call(endAccess, {})).toEqual({ sessions: 0, tokens: 0 });
  });

  it('requires a session, and a request from this site', async () => {
    const user = await someone();
    const end = (headers: Record<string, string>) => rawRequest(`${service.url}/api/v1/user/access`, { method: 'DELETE', headers });
    expect(await end({})).toMatchObject({ status: 401, code: 'unauthorized' });
    for (const token of user.tokens)
      expect(await end({ authorization: `Bearer ${token}` })).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await end({ cookie: user.cookie, origin: 'https://evil.example' })).toMatchObject({ status: 403, code: 'cross_site' });
    expect([await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([true, [true, true]]);
  });

  it('can be done by an admin, who sees what there is, for any user, and leaves a trace', async () => {
    const user = await someone();
    const params = { id: String(user.id) };
    const before = await hal.client.call(admin.getUserAccess, { params });
    expect(before.sessions).toMatchObject([{ current: false, address: '127.0.0.1' }, { current: false }]);
    expect(before.tokens.map(({ scope }) => scope)).toEqual(['full', 'upload']);
    expect(JSON.stringify(before)).not.toMatch(/secret|hash|pxd_/);
    expect(await hal.client.call(admin.endUserAccess, { params })).toEqual({ sessions: 2, tokens: 2 });
    expect([await isSignedIn(user), await isSignedIn(user.other), await accepted(user.tokens)]).toEqual([false, false, [false, false]]);
    expect(await hal.client.call(admin.getUserAccess, { params })).toEqual({ sessions: [], tokens: [] });
    const { items } = await owner.client.call(listAudit, { query: { action: 'user.access_ended' } });
    expect(items[0]).toMatchObject({ actor: { username: 'hal' }, target: `user-${number}`, details: { sessions: 2, tokens: 2 } });
    await expect(hal.client.call(admin.endUserAccess, { params: { id: '9999' } })).rejects.toMatchObject({ code: 'not_found' });
    await expect(hal.client.call(admin.getUserAccess, { params: { id: '9999' } })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps the admin’s own session, and leaves the owner’s account to the owner', async () => {
    const kept = await newSession(service, 'hal', USER_PASSWORD);
    await kept.client.call(admin.endUserAccess, { params: { id: String(hal.id) } });
    expect([await isSignedIn(kept), await isSignedIn(hal)]).toEqual([true, false]);
    const { items } = await owner.client.call(admin.listUsers, { query: { q: OWNER.username } });
    const params = { id: String(items[0]?.id) };
    await expect(kept.client.call(admin.endUserAccess, { params })).rejects.toMatchObject({ code: 'forbidden' });
    const [second, token] = [await newSession(service, OWNER.username, OWNER.password), await owner.token('full')];
    expect(await owner.client.call(admin.endUserAccess, { params })).toEqual({ sessions: 1, tokens: 1 });
    expect([await isSignedIn(owner), await isSignedIn(second), await accepted([token])]).toEqual([true, false, [false]]);
  });
});
