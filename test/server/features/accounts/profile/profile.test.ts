import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { deleteUser, listUsers } from '#api/admin/users.ts';
import { changePassword, changeProfile, deleteAvatar, getProfile, putAvatar } from '#api/auth/user.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { blackPng } from '#test/helpers/pictures/bombs.ts';
import { svg } from '#test/helpers/pictures/drawings.ts';
import { animatedWebp, PRIVATE_WORDS, png } from '#test/helpers/pictures/images.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn, signedIn, startTestService } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

const rowOf = (id: number) =>
  withDatabase(service, (db) => db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

describe('the profile', () => {
  it('describes the user, without the password’s hash', async () => {
    const text = await (await owner.fetch('/api/v1/user')).text();
    expect(JSON.parse(text).data).toMatchObject({
      username: OWNER.username,
      email: OWNER.email,
      role: 'admin',
      is_owner: true,
      has_password: true,
      group: 'Owner',
      preferences: {
        visibility: 'public',
        album_id: null,
        policy_id: null,
        link_format: 'url',
        link_template: '{name}: {url}',
        delete_expired: false,
        keep_copyright: false,
      },
    });
    expect(text).not.toMatch(/argon2|password_hash/);
  });

  it('changes the user name, which then works for signing in', async () => {
    const bea = await addUser(service, 'bea');
    expect(await bea.client.call(changeProfile, { body: { username: 'Beatrice' } })).toMatchObject({ username: 'Beatrice' });
    expect((await logIn(service, 'beatrice', USER_PASSWORD)).status).toBe(200);
    expect((await logIn(service, 'bea', USER_PASSWORD)).status).toBe(401);
    await expect(bea.client.call(changeProfile, { body: { username: OWNER.username.toUpperCase() } })).rejects.toMatchObject({
      code: 'conflict',
      details: { field: 'username' },
    });
    // The user's own name in another spelling isn't taken.
    expect(await bea.client.call(changeProfile, { body: { username: 'BEATRICE' } })).toMatchObject({ username: 'BEATRICE' });
  });

  it('changes the e-mail address with the password, and marks it unverified', async () => {
    const cleo = await addUser(service, 'cleo');
    const change = (body: object) => cleo.client.call(changeProfile, { body });
    await expect(change({ email: 'new@example.org' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'current_password' },
    });
    await expect(change({ email: 'new@example.org', current_password: 'wrong' })).rejects.toMatchObject({
      status: 401,
      code: 'wrong_password',
    });
    await expect(change({ email: OWNER.email, current_password: USER_PASSWORD })).rejects.toMatchObject({ details: { field: 'email' } });
    expect(await rowOf(cleo.id)).toMatchObject({ email: 'cleo@example.org', email_source: 'admin' });
    expect(await change({ email: 'New@example.org', current_password: USER_PASSWORD })).toMatchObject({ email: 'New@example.org' });
    expect(await rowOf(cleo.id)).toMatchObject({ email_key: 'new@example.org', email_source: 'user' });
    expect((await logIn(service, 'new@example.org', USER_PASSWORD)).status).toBe(200);
  });

  it('keeps an unchanged address verified', async () => {
    const dora = await addUser(service, 'dora');
    await dora.client.call(changeProfile, { body: { username: 'dora2', email: 'DORA@example.org' } });
    expect(await rowOf(dora.id)).toMatchObject({ username: 'dora2', email_source: 'admin' });
  });

  it('lets a full token change the name, not the address', async () => {
    const emma = await addUser(service, 'emma');
    const headers = { authorization: `Bearer ${await emma.token('full')}` };
    const change = (body: object) => rawRequest(`${service.url}/api/v1/user`, { method: 'PATCH', headers, body });
    expect((await change({ username: 'emma2' })).status).toBe(200);
    expect((await change({ email: 'x@example.org', current_password: USER_PASSWORD })).code).toBe('forbidden');
    expect((await rowOf(emma.id)).email).toBe('emma@example.org');
  });

  it('cannot grant itself rights', async () => {
    const fay = await addUser(service, 'fay');
    await fay.fetch('/api/v1/user', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'admin', is_owner: true, group_id: 1, email_source: 'admin' }),
    });
    expect(await fay.client.call(getProfile, {})).toMatchObject({ role: 'user', is_owner: false, group: 'Users' });
  });
});

describe('the avatar', () => {
  const setAvatar = (user: SignedIn, file: Buffer) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(file)]), 'me.jpg');
    return user.client.send(putAvatar, form);
  };

  it('is cut out of the middle of a picture, in two sizes and without metadata, for signed-in users', async () => {
    const joy = await addUser(service, 'joy');
    expect(await joy.client.call(getProfile, {})).toMatchObject({ avatar_url: null });
    // Red at the ends, which are cut off.
    const wide = await sharp({ create: { width: 600, height: 200, channels: 3, background: '#ff0000' } })
      .composite([{ input: { create: { width: 220, height: 200, channels: 3, background: '#0000ff' } } }])
      .withExif({ IFD0: { Artist: PRIVATE_WORDS[1] } })
      .jpeg()
      .toBuffer();
    const { avatar_url } = await setAvatar(joy, wide);
    expect(await joy.client.call(getProfile, {})).toMatchObject({ avatar_url });
    for (const [query, side] of [['', 64] as const, ['&size=256', 256] as const]) {
      const response = await owner.fetch(`${avatar_url}${query}`);
      expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: side, height: side });
      expect(bytes.includes(PRIVATE_WORDS[1])).toBe(false);
      const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect([data[0], data[2]].map((value) => (value ?? 0) > 128)).toEqual([false, true]);
    }
    const { items } = await owner.client.call(listUsers, { query: { q: 'joy' } });
    expect(items).toMatchObject([{ avatar_url }]);
    expect((await fetch(`${service.url}${avatar_url}`)).status).toBe(401);
    // Addresses can't be guessed from the ids of accounts.
    expect((await owner.fetch(`/api/v1/avatars/${joy.id}?v=x`)).status).toBe(404);
    expect((await owner.fetch(`${avatar_url}&size=65`)).status).toBe(400);

    await setAvatar(joy, await png({ width: 10, height: 30 }));
    expect((await owner.fetch(`${avatar_url}`)).status).toBe(404);
    expect(await joy.client.call(deleteAvatar, {})).toEqual({ avatar_url: null });
    expect(await joy.client.call(getProfile, {})).toMatchObject({ avatar_url: null });
  });

  it.each([
    ['a drawing', async () => svg(), { code: 'ext_not_allowed' }],
    ['an animation', () => animatedWebp(), { code: 'invalid_request', details: { problem: 'animated' } }],
    ['a side of 20,000 pixels', () => blackPng(20_000, 10), { code: 'image_too_large' }],
  ])('can’t be %s', async (_what, make, refusal) => {
    await expect(setAvatar(owner, await make())).rejects.toMatchObject(refusal);
  });

  it.each(['jpeg-no-eoi.jpg', 'png-no-iend.png', 'lossless.jpg'])(
    'can be a picture that lacks nothing but its end, or that browsers don’t show: %s',
    async (name) => {
      const { avatar_url } = await setAvatar(owner, await readFile(`test/fixtures/inputs/${name}`));
      const shown = await contentOf(owner.fetch(`${avatar_url}`));
      expect(await sharp(shown).metadata()).toMatchObject({ format: 'webp', width: 64, height: 64 });
    },
  );

  it('is deleted with the account, at once', async () => {
    const lea = await addUser(service, 'lea');
    const { avatar_url } = await setAvatar(lea, await png());
    await owner.client.call(deleteUser, { params: { id: lea.id }, query: {} });
    expect((await owner.fetch(`${avatar_url}`)).status).toBe(404);
    const left = await withDatabase(service, (db) => db.read.selectFrom('avatars').selectAll().where('user_id', '=', lea.id).execute());
    expect(left).toEqual([]);
  });
});

describe('the password', () => {
  it('changes with the current one and ends all other sessions, but keeps tokens', async () => {
    const gil = await addUser(service, 'gil');
    const token = await gil.token('full');
    const elsewhere = signedIn(service, (await logIn(service, 'gil', USER_PASSWORD)).setCookies[0]?.split(';')[0] ?? '');
    await gil.client.call(changePassword, { body: { current_password: USER_PASSWORD, new_password: 'a brand new password' } });
    expect((await elsewhere.fetch('/api/v1/user')).status).toBe(401);
    expect((await gil.fetch('/api/v1/user')).status).toBe(200);
    expect((await rawRequest(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await owner.fetch('/api/v1/user')).status).toBe(200);
    expect((await logIn(service, 'gil', USER_PASSWORD)).status).toBe(401);
    expect((await logIn(service, 'gil', 'a brand new password')).status).toBe(200);
  });

  it('does not change with a wrong or missing one, or to a weak one', async () => {
    const hal = await addUser(service, 'hal');
    const change = (body: { current_password?: string; new_password: string }) => hal.client.call(changePassword, { body });
    await expect(change({ current_password: 'wrong', new_password: 'a brand new password' })).rejects.toMatchObject({
      code: 'wrong_password',
    });
    await expect(change({ new_password: 'a brand new password' })).rejects.toMatchObject({ details: { field: 'current_password' } });
    await expect(change({ current_password: USER_PASSWORD, new_password: 'short' })).rejects.toMatchObject({
      details: { field: 'new_password' },
    });
    expect((await logIn(service, 'hal', USER_PASSWORD)).status).toBe(200);
  });

  it('cannot be guessed with a stolen session', async () => {
    const ida = await addUser(service, 'ida');
    const guess = (number: number) =>
      ida.client.call(changePassword, { body: { current_password: `wrong ${number}`, new_password: 'a brand new password' } });
    const codes = await Promise.all(Array.from({ length: 14 }, (_, number) => guess(number).catch(({ code }) => code as string)));
    expect(codes.filter((code) => code === 'wrong_password')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(4);
    // The session counts on its own, so that its thief doesn't lock the user out.
    expect((await logIn(service, 'ida', USER_PASSWORD)).status).toBe(200);
  });

  it('can be set for the first time without a current one', async () => {
    await using desktop = await startTestService();
    const { name, value } = await desktop.openOwnerSession('ada');
    const person = signedIn(desktop, `${name}=${value}`);
    expect(await person.client.call(getProfile, {})).toMatchObject({ has_password: false });
    for (const password of ['x', 'null', '']) {
      expect((await logIn(desktop, 'ada', password || 'undefined')).status).toBe(401);
    }
    await person.client.call(changePassword, { body: { new_password: 'a first password' } });
    expect(await person.client.call(getProfile, {})).toMatchObject({ has_password: true });
    expect((await logIn(desktop, 'ada', 'a first password')).status).toBe(200);
    await expect(person.client.call(changePassword, { body: { new_password: 'another password' } })).rejects.toMatchObject({
      details: { field: 'current_password' },
    });
  });
});
