import { afterAll, describe, expect, it } from 'vitest';
import { linkSignOn, unlinkSignOn } from '#api/auth/oidc.ts';
import { offerPasskey, removePasskey } from '#api/auth/passkeys.ts';
import { changePassword, changeProfile, deleteAccount, getProfile } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { hasTwoFactor } from '#server/core/accounts/two-factor.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { createCodeGuard } from '#server/features/accounts/two-factor/code-guard.ts';
import { turnOn } from '#server/features/accounts/two-factor/turn-on.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { watchedLimits } from '#test/helpers/service/limits.ts';
import { type SignedIn, signedIn, startTestService } from '#test/helpers/service/service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const NEW_PASSWORD = 'correct horse battery staple';
const { service, owner } = await startFileService();
const provider = await startOidcProvider([`${service.url}${CALLBACK}`]);
afterAll(() => provider.stop());
await signOnWith(owner, provider);

/** What a thief would do with the session of an account without a password, to keep or to destroy it. */
const CHANGES: [string, (user: SignedIn) => Promise<unknown>][] = [
  ['adds a passkey', ({ cookie }) => clientAtLocalhost(cookie).call(offerPasskey, { body: {} })],
  ['links an SSO identity', ({ client }) => client.call(linkSignOn, { body: {} })],
  ['changes the email address', ({ client }) => client.call(changeProfile, { body: { email: 'thief@example.net' } })],
  ['sets the first password', ({ client }) => client.call(changePassword, { body: { new_password: NEW_PASSWORD } })],
  ['deletes the account', ({ client }) => client.call(deleteAccount, { body: {} })],
];

/** Passkeys work only at a host name. */
function clientAtLocalhost(cookie: string) {
  const baseUrl = service.url.replace('127.0.0.1', 'localhost');
  return createClient({
    baseUrl,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie } }),
  });
}

const age = (userId: number, minutes: number) =>
  withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      await queries.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute();
      const created_at = Date.now() - minutes * 60_000;
      await queries.updateTable('sessions').set({ created_at }).where('user_id', '=', userId).execute();
    }),
  );

describe('a user without a password', () => {
  let number = 0;
  it.each(CHANGES)('%s only with a recent sign-in', async (_, change) => {
    const user = await addUser(service, `user-${++number}`);
    await age(user.id, 11);
    const before = await user.client.call(getProfile, {});
    await expect(change(user)).rejects.toMatchObject({ status: 403, code: 'sign_in_again' });
    expect(await user.client.call(getProfile, {})).toEqual(before);
    await age(user.id, 9);
    await change(user);
  });

  it.each<[string, (user: SignedIn) => Promise<unknown>]>([
    ['a passkey', ({ client }) => client.call(removePasskey, { params: { id: 'x' }, body: {} })],
    ['an SSO identity', ({ client }) => client.call(unlinkSignOn, { params: { id: 'x' }, body: {} })],
  ])('removes %s only with a recent sign-in', async (_, remove) => {
    const user = await addUser(service, `user-${++number}`);
    await age(user.id, 11);
    await expect(remove(user)).rejects.toMatchObject({ status: 403, code: 'sign_in_again' });
    await age(user.id, 9);
    await expect(remove(user)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can’t be replaced by a guest, a token or another user’s recent sign-in', async () => {
    const [user, other] = [await addUser(service, 'zoe'), await addUser(service, 'yan')];
    await age(user.id, 11);
    const set = (headers: Record<string, string>) =>
      rawRequest(`${service.url}/api/v1/user/password`, { method: 'PUT', headers, body: { new_password: NEW_PASSWORD } });
    expect((await set({})).status).toBe(401);
    expect((await set({ authorization: `Bearer ${await user.token('full')}` })).status).toBe(403);
    expect((await set({ cookie: other.cookie })).status).toBe(400);
    expect(await set({ cookie: user.cookie })).toMatchObject({ status: 403, code: 'sign_in_again' });
  });
});

it('the desktop app, which signs its owner in without asking, sets the first password at any time', async () => {
  await using desktop = await startTestService();
  const { name, value } = await desktop.openOwnerSession('ada');
  const admin = signedIn(desktop, `${name}=${value}`);
  await withDatabase(desktop, (db) => db.as('job').write((queries) => queries.updateTable('sessions').set({ created_at: 0 }).execute()));
  await admin.client.call(changePassword, { body: { new_password: NEW_PASSWORD } });
  expect((await admin.client.call(getProfile, {})).has_password).toBe(true);
});

it('counts accounts where nothing is pushed out, and devices, which clients can make up, elsewhere', async () => {
  const { limits, counted } = watchedLimits();
  const guard = createCodeGuard(limits);
  await guard.check(1, undefined, async () => undefined);
  await guard.check(2, 'device x', async () => undefined);
  expect(counted).toEqual([
    ['account 1', true],
    ['account 1', true],
    ['account 2 device x', false],
    ['account 2 device x', false],
  ]);
});

const ORIGIN = { actorId: null, actorName: '', address: '127.0.0.1', userAgent: 'test' };

it.each([
  ['the password has been reset', { password_hash: 'new' }],
  ['the account has been disabled', { disabled_at: 1 }],
])('sets up no second factor when %s since the password was sent', async (_what, change) => {
  const folder = temporaryFolder();
  await writeEmptyDatabase(folder);
  const { context, close } = await openTestContext(folder);
  const { db } = context;
  const { id } = await db.as('job').write(async (queries) => {
    const more = { emailSource: 'admin', passwordHash: 'old', role: 'user', isOwner: false } as const;
    const group = await groupOfKind(queries, 'default');
    return insertUser(queries, { username: 'bob', email: null, ...more, groupId: group.id }, Date.now());
  });
  const user = await db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await db.as('job').write((queries) => queries.updateTable('users').set(change).where('id', '=', id).execute());
  const accepted = { secret: 'secret', step: 1 };
  await expect(turnOn({ ...context, db: db.as('note') }, { user, accepted, origin: ORIGIN })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await hasTwoFactor(db.read, id)).toBe(false);
  await close();
});
