import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { changePolicy } from '#api/admin/policies.ts';
import { createAlbum, deleteAlbum } from '#api/albums/albums.ts';
import { changePreferences, getProfile, type Preferences } from '#api/auth/user.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const user = await addUser(service, 'bea');
const other = await addUser(service, 'cleo');
const token = await user.token('upload');

const change = (body: Partial<Preferences>) => user.client.call(changePreferences, { body });
let images = 0;
const image = () =>
  sharp({ create: { width: 20 + ++images, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
const upload = async (fields: Record<string, string> = {}) => uploadImage(service, token, await image(), fields, 'a.png');
const albumOf = async (who: AddedUser) => (await who.client.call(createAlbum, { body: { name: 'Harbour' } })).id;

/** A second storage policy that users can choose. */
const addPolicy = () => {
  const folder = join(service.dataDir, 'elsewhere');
  mkdirSync(folder);
  return withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const { id: _, ...like } = await queries.selectFrom('policies').selectAll().executeTakeFirstOrThrow();
      const policy = { ...like, name: 'Elsewhere', driver: 'local' as const, config: JSON.stringify({ folder }) };
      const { id } = await queries.insertInto('policies').values(policy).returning('id').executeTakeFirstOrThrow();
      await queries
        .updateTable('groups')
        .set({ policy_ids: JSON.stringify([1, id]) })
        .where('kind', '=', 'default')
        .execute();
      return id;
    }),
  );
};
const policyOf = (key: string) =>
  withDatabase(
    service,
    async (db) => (await db.read.selectFrom('images').select('policy_id').where('key', '=', key).executeTakeFirstOrThrow()).policy_id,
  );

it('changes only the given preferences', async () => {
  expect(await change({ link_format: 'markdown' })).toEqual({
    visibility: 'public',
    album_id: null,
    policy_id: null,
    link_format: 'markdown',
    link_template: '{name}: {url}',
    delete_expired: false,
    keep_copyright: false,
  });
  expect(await change({ visibility: 'private' })).toMatchObject({ visibility: 'private', link_format: 'markdown' });
  expect((await user.client.call(getProfile, {})).preferences).toMatchObject({ visibility: 'private', link_format: 'markdown' });
  expect((await other.client.call(getProfile, {})).preferences).toMatchObject({ visibility: 'public', link_format: 'url' });
});

it('applies to uploads without options; options of the upload take precedence', async () => {
  await change({ visibility: 'private' });
  expect(await upload()).toMatchObject({ visibility: 'private' });
  expect(await upload({ visibility: '' })).toMatchObject({ visibility: 'private' });
  expect(await upload({ visibility: 'public' })).toMatchObject({ visibility: 'public' });
  expect(await upload({ permission: '1' })).toMatchObject({ visibility: 'public' });
  await change({ visibility: 'public' });
  expect(await upload()).toMatchObject({ visibility: 'public' });
});

it('puts uploads into the chosen album while it exists', async () => {
  const album_id = await albumOf(user);
  await change({ album_id });
  expect(await upload()).toMatchObject({ album_id });
  const chosen = await albumOf(user);
  expect(await upload({ album_id: chosen })).toMatchObject({ album_id: chosen });
  await user.client.call(deleteAlbum, { params: { id: album_id }, query: {} });
  expect(await upload()).toMatchObject({ album_id: null });
  await change({ album_id: null });
});

it('stores uploads under the chosen policy while the group may use it', async () => {
  const policy_id = await addPolicy();
  await change({ policy_id });
  expect(await policyOf((await upload()).key)).toBe(policy_id);
  expect(await policyOf((await upload({ policy_id: '1' })).key)).toBe(1);
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.updateTable('groups').set({ policy_ids: '[1]' }).where('kind', '=', 'default').execute()),
  );
  expect(await policyOf((await upload()).key)).toBe(1);
});

it('keeps artist and copyright in this user’s pictures on request, and nothing else', async () => {
  const send = async (who: string, seed: number) => {
    const photo = await photoJpeg({ seed, gps: true });
    expect(photo.includes('Olivia Owner')).toBe(true);
    const { links } = await uploadImage(service, who, photo, {}, 'a.jpg');
    const stored = await contentOf(fetch(links.url));
    expect(['SerialNumber-4711', 'PrivateCamera'].filter((word) => stored.includes(word))).toEqual([]);
    return stored.includes('Olivia Owner');
  };
  expect(await send(token, 1)).toBe(false);
  await change({ keep_copyright: true });
  expect(await send(token, 2)).toBe(true);
  expect(await send(await other.token('upload'), 3)).toBe(false);
  const policy = { params: { id: 1 } };
  await owner.client.call(changePolicy, { ...policy, body: { convert_to: 'webp' } });
  expect(await send(token, 4)).toBe(true);
  await owner.client.call(changePolicy, { ...policy, body: { convert_to: null } });
  await change({ keep_copyright: false });
  expect(await send(token, 5)).toBe(false);
});

it('refuses another user’s album, an unknown album, and a policy outside the group', async () => {
  await expect(change({ album_id: await albumOf(other) })).rejects.toMatchObject({ code: 'album_not_found' });
  await expect(change({ album_id: 'AAAAAAAAAA' })).rejects.toMatchObject({ code: 'album_not_found' });
  await expect(change({ policy_id: 999 })).rejects.toMatchObject({ code: 'policy_not_allowed' });
});

it.each([
  { visibility: 'secret' },
  { visibility: null },
  { link_format: 'rtf' },
  { link_template: ' ' },
  { album_id: 'x' },
  { policy_id: '1' },
  { keep_copyright: 'yes' },
])('refuses %j', async (body) => {
  const response = await rawRequest(`${service.url}/api/v1/user/preferences`, {
    method: 'PATCH',
    headers: { cookie: user.cookie },
    body,
  });
  expect(response.data).toMatchObject({ code: 'invalid_request', field: Object.keys(body)[0] });
});

it('is closed to other users, guests and upload tokens', async () => {
  const call = (headers: Record<string, string>) =>
    rawRequest(`${service.url}/api/v1/user/preferences`, { method: 'PATCH', headers, body: { visibility: 'private' } });
  expect((await call({})).status).toBe(401);
  expect((await call({ authorization: `Bearer ${token}` })).code).toBe('forbidden');
  expect((await call({ authorization: `Bearer ${await user.token('full')}` })).status).toBe(200);
});
