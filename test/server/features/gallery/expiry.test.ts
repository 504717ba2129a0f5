import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changePreferences, getLimits } from '#api/auth/user.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { getImage, listImages, trashImage } from '#api/images/images.ts';
import { emptyTrash, listTrash, purgeTrash, restoreTrash } from '#api/images/trash.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, uploadImage } from '#test/helpers/service/service.ts';
import { type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

/** A picture of bea's whose time is over, though no job has noticed yet. */
async function expired(fields: Record<string, string> = {}): Promise<Uploaded> {
  const image = await sharing.upload({ expires_in: '3600', ...fields });
  await sharing.alter(image.key, { expires_at: Date.now() - 1000 });
  return image;
}
const trashOf = async (user: SignedIn) => (await user.client.call(listTrash, { query: {} })).items;
const inTrash = async (image: Uploaded, user: SignedIn = sharing.bea) => (await trashOf(user)).find(({ key }) => key === image.key);
const status = async (path: string, headers: Record<string, string> = {}) => (await fetch(sharing.url + path, { headers })).status;
const direct = ({ key, ext }: Uploaded) => `/i/${key}.${ext}`;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    ({ code, details }) => ({ code, ...details }),
  );
const PAST = { code: 'invalid_request', field: 'expires_at', problem: 'in_the_past' };
/** A time with the zone of another place. */
const inMs = (ms: number) => new Date(Date.now() + ms + 3_600_000).toISOString().replace('Z', '+01:00');
const setGroup = (body: object) => sharing.admin.client.call(changeGroup, { params: { id: '2' }, body });

describe('a picture that has expired', () => {
  it('is in its owner’s trash at once and counts towards the quota, and its links say that it has expired', async () => {
    const image = await expired();
    const before = (await sharing.bea.client.call(getLimits, {})).storage_used_bytes;
    const trashed = await inTrash(image);
    expect(trashed).toMatchObject({ reason: 'expired', name: image.name, expires_at: expect.any(String) });
    expect(Date.parse(trashed?.purge_at as string) - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    expect((await sharing.bea.client.call(getLimits, {})).storage_used_bytes).toBe(before);
    expect((await sharing.bea.client.call(listImages, { query: {} })).items.map(({ key }) => key)).not.toContain(image.key);
    for (const headers of [...Object.values(sharing.strangers), ...Object.values(sharing.owners), { cookie: sharing.admin.cookie }])
      for (const path of [direct(image), `/t/${image.key}.jpg`, `/s/${image.key}`, `/api/v1/s/${image.key}`])
        expect([path, await status(path, headers)]).toEqual([path, 410]);
  });

  it('is shown in the trash to its owner only', async () => {
    const image = await expired();
    await trashOf(sharing.bea);
    const thumbnail = `/api/v1/trash/${image.key}/thumbnail`;
    expect((await sharing.bea.fetch(thumbnail)).status).toBe(200);
    for (const other of [sharing.cleo, sharing.admin]) {
      expect(await inTrash(image, other)).toBeUndefined();
      expect((await other.fetch(thumbnail)).status).toBe(404);
      for (const route of [restoreTrash, purgeTrash])
        expect((await other.client.call(route, { body: { keys: [image.key] } })).results).toMatchObject([{ ok: false, code: 'not_found' }]);
    }
    expect(await status(thumbnail)).toBe(401);
    expect(await inTrash(image)).toBeDefined();
  });

  it('can be restored without an expiry, even before any job has noticed', async () => {
    const image = await expired({ max_views: '4' });
    expect((await sharing.bea.client.call(restoreTrash, { body: { keys: [image.key] } })).results).toEqual([{ key: image.key, ok: true }]);
    expect(await status(direct(image))).toBe(200);
    expect(await sharing.bea.client.call(getImage, { params: { key: image.key } })).toMatchObject({
      expires_at: null,
      deleted_at: null,
      max_views: 4,
      views_left: 3,
    });
  });

  it('can be restored with a new expiry, which leaves deleted pictures alone', async () => {
    const [image, deleted] = [await expired(), await sharing.upload()];
    await sharing.bea.client.call(trashImage, { params: { key: deleted.key } });
    const keys = [image.key, deleted.key];
    const { results } = await sharing.bea.client.call(batchImages, { body: { action: 'restore', keys, expires_in: 600 } });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    const [one, two] = await Promise.all(keys.map((key) => sharing.bea.client.call(getImage, { params: { key } })));
    expect(Date.parse(one?.expires_at as string) - Date.now()).toBeGreaterThan(590_000);
    expect(two?.expires_at).toBeNull();
  });

  it('gets the expiry that its owner’s group asks for, and none over it', async () => {
    const [image, other] = [await expired(), await expired()];
    await setGroup({ default_expires_in: 60, max_expires_in: 120 });
    const restore = (body: object) => sharing.bea.client.call(restoreTrash, { body: body as never });
    for (const expires_in of [0, 121]) expect(await code(restore({ keys: [image.key], expires_in }))).toBe('expires_over_group');
    await restore({ keys: [image.key] });
    await setGroup({ default_expires_in: 0 });
    await restore({ keys: [other.key] });
    await setGroup({ max_expires_in: 0 });
    const left = async ({ key }: Uploaded) => {
      const { expires_at } = await sharing.bea.client.call(getImage, { params: { key } });
      return Math.round((Date.parse(expires_at as string) - Date.now()) / 20_000) * 20;
    };
    expect([await left(image), await left(other)]).toEqual([60, 120]);
  });

  it('can be restored until an exact time, which must be in the future and within the group’s limit', async () => {
    const image = await expired();
    const restore = (body: object) => sharing.bea.client.call(restoreTrash, { body: { keys: [image.key], ...body } });
    expect(await refusal(restore({ expires_at: '2020-01-01T00:00:00Z' }))).toMatchObject(PAST);
    await restore({ expires_at: inMs(7_200_000) });
    expect(await sharing.bea.client.call(getImage, { params: { key: image.key } })).toMatchObject({ deleted_at: null });
  });

  it('is gone once its owner deletes it: from the trash, as if it were still in the list, or by its deletion link', async () => {
    const [purged, deleted, linked] = [await expired(), await expired(), await expired()];
    await sharing.bea.client.call(purgeTrash, { body: { keys: [purged.key] } });
    await trashOf(sharing.bea);
    await sharing.bea.client.call(trashImage, { params: { key: deleted.key } });
    expect((await fetch(String(linked.links.delete_url).replace('/delete/', '/api/v1/delete/'), { method: 'POST' })).status).toBe(200);
    expect(await Promise.all([purged, deleted, linked].map((image) => status(direct(image))))).toEqual([404, 404, 404]);
    expect(await inTrash(deleted)).toMatchObject({ reason: 'deleted' });
    await sharing.bea.client.call(emptyTrash, {});
    expect(await trashOf(sharing.bea)).toEqual([]);
  });

  it('can be read but not changed, and belongs to no list', async () => {
    const image = await expired();
    await trashOf(sharing.bea);
    expect(await sharing.bea.client.call(getImage, { params: { key: image.key } })).toMatchObject({ key: image.key });
    expect(await code(sharing.bea.client.call(updateImage, { params: { key: image.key }, body: { expires_in: 0 } }))).toBe('expired');
    expect((await sharing.bea.client.call(listImages, { query: { q: image.links.url } })).items).toEqual([]);
    const { results } = await sharing.bea.client.call(batchImages, {
      body: { action: 'visibility', keys: [image.key], visibility: 'private' },
    });
    expect(results).toEqual([{ key: image.key, ok: false, code: 'not_found' }]);
  });

  it('survives a restart, even if it expired while the service was stopped', async () => {
    const [before, during] = [await expired(), await sharing.upload({ expires_in: '3600' })];
    await trashOf(sharing.bea);
    await sharing.service.stop();
    await sharing.alter(during.key, { expires_at: 1 });
    await sharing.service.restart();
    expect([await inTrash(before), await inTrash(during)]).toMatchObject([{ reason: 'expired' }, { reason: 'expired' }]);
    expect([await status(direct(before)), await status(direct(during))]).toEqual([410, 410]);
  });

  it('is in a backup', async () => {
    const image = await expired();
    await trashOf(sharing.bea);
    const archive = await sharing.admin.fetch('/api/v1/admin/backup/stream');
    const names: string[] = [];
    for await (const entry of Readable.from([Buffer.from(await archive.arrayBuffer())]).pipe(extract())) {
      names.push(entry.header.name);
      entry.resume();
    }
    expect(names.filter((name) => name.includes(image.sha256))).toHaveLength(1);
  });
});

it('a picture deleted before its time is over stays deleted, and is restored without its expiry', async () => {
  const image = await sharing.upload({ expires_in: '3600' });
  await sharing.bea.client.call(trashImage, { params: { key: image.key } });
  await sharing.alter(image.key, { expires_at: 1 });
  expect(await inTrash(image)).toMatchObject({ reason: 'deleted' });
  expect(await status(direct(image))).toBe(404);
  await sharing.bea.client.call(restoreTrash, { body: { keys: [image.key] } });
  expect(await sharing.bea.client.call(getImage, { params: { key: image.key } })).toMatchObject({ expires_at: null });
  expect(await status(direct(image))).toBe(200);
});

it('undoing a deletion doesn’t reopen a picture that expired in between', async () => {
  const image = await sharing.upload({ expires_in: '3600' });
  const { undo } = await sharing.bea.client.call(batchImages, { body: { action: 'trash', keys: [image.key] } });
  await sharing.alter(image.key, { expires_at: 1 });
  expect(await sharing.bea.client.call(batchImages, { body: { action: 'restore', undo } })).toMatchObject({ processed: 0, failed: 1 });
  expect(await inTrash(image)).toBeDefined();
});

it('a picture whose views are used up stays with its owner', async () => {
  const image = await sharing.upload({ max_views: '1' });
  expect([await status(direct(image)), await status(direct(image))]).toEqual([200, 410]);
  expect((await sharing.bea.client.call(listImages, { query: {} })).items.map(({ key }) => key)).toContain(image.key);
  expect(await status(direct(image), sharing.owners['the owner by session'])).toBe(200);
});

describe('expired pictures are deleted at once', () => {
  const isDeletedAtOnce = async () => {
    const image = await expired();
    const used = (await sharing.bea.client.call(getLimits, {})).storage_used_bytes;
    expect(await inTrash(image)).toBeUndefined();
    expect(await status(direct(image))).toBe(410);
    return used - (await sharing.bea.client.call(getLimits, {})).storage_used_bytes === image.size;
  };

  it('where the account prefers it', async () => {
    const prefer = (delete_expired: boolean) => sharing.bea.client.call(changePreferences, { body: { delete_expired } });
    expect(await prefer(true)).toMatchObject({ delete_expired: true });
    expect(await isDeletedAtOnce()).toBe(true);
    await prefer(false);
  });

  it('where an admin has set the group so, for all its members', async () => {
    expect(await setGroup({ delete_expired: true })).toMatchObject({ delete_expired: true });
    expect((await sharing.bea.client.call(getLimits, {})).delete_expired).toBe(true);
    expect(await isDeletedAtOnce()).toBe(true);
    expect(await setGroup({ delete_expired: false })).toMatchObject({ delete_expired: false });
  });

  it('for guests, who have no trash', async () => {
    await sharing.admin.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
    const image = await uploadImage(sharing.service, undefined, await photoJpeg({ seed: 77, width: 40, height: 30 }), {
      expires_in: '3600',
    });
    await sharing.alter(image.key, { expires_at: 1 });
    await trashOf(sharing.admin);
    expect(await status(direct(image))).toBe(410);
    const row = await withDatabase(sharing.service, ({ read }) =>
      read.selectFrom('images').select(['emptied_at', 'deleted_at']).where('key', '=', image.key).executeTakeFirstOrThrow(),
    );
    expect(row).toEqual({ emptied_at: expect.any(Number), deleted_at: null });
  });
});

describe('an exact expiry', () => {
  const HOUR_MS = 3_600_000;
  const at = async ({ key }: { key: string }) =>
    Date.parse((await sharing.bea.client.call(getImage, { params: { key } })).expires_at as string);

  it('is set by an upload, a change and a batch, to the second', async () => {
    const time = inMs(2 * HOUR_MS);
    const image = await sharing.upload({ expires_at: time });
    expect(await at(image)).toBe(Date.parse(time));
    const later = inMs(3 * HOUR_MS);
    await sharing.bea.client.call(updateImage, { params: { key: image.key }, body: { expires_at: later } });
    expect(await at(image)).toBe(Date.parse(later));
    const latest = inMs(4 * HOUR_MS);
    const { undo } = await sharing.bea.client.call(batchImages, { body: { action: 'expiry', keys: [image.key], expires_at: latest } });
    expect(await at(image)).toBe(Date.parse(latest));
    await sharing.bea.client.call(batchImages, { body: { action: 'undo', undo: undo ?? '' } });
    expect(await at(image)).toBe(Date.parse(later));
  });

  it('is refused in the past, in the distant future, beside a period, and over the group’s limit', async () => {
    const image = await sharing.upload();
    const change = (body: object) => refusal(sharing.bea.client.call(updateImage, { params: { key: image.key }, body }));
    const batch = (body: object) =>
      refusal(sharing.bea.client.call(batchImages, { body: { action: 'expiry', keys: [image.key], ...body } }));
    const upload = (fields: Record<string, string>) => refusal(sharing.upload(fields));
    for (const attempt of [change, batch, upload]) {
      expect(await attempt({ expires_at: inMs(-1000) })).toMatchObject(PAST);
      expect(await attempt({ expires_at: inMs(367 * 24 * HOUR_MS) })).toMatchObject({
        field: 'expires_at',
        problem: 'too_late',
        limit: 366,
      });
      expect(await attempt({ expires_at: 'tomorrow' })).toMatchObject({ code: 'invalid_request', field: 'expires_at' });
    }
    for (const attempt of [change, batch])
      expect(await attempt({ expires_at: inMs(HOUR_MS), expires_in: 60 })).toMatchObject({ field: 'expires_at' });
    expect(await upload({ expires_at: inMs(HOUR_MS), expires_in: '60' })).toMatchObject({ field: 'expires_at' });
    expect(await batch({})).toMatchObject({ field: 'expires_in', problem: 'missing' });
    await setGroup({ max_expires_in: 3600 });
    for (const attempt of [change, batch, upload])
      expect(await attempt({ expires_at: inMs(2 * HOUR_MS) })).toMatchObject({
        code: 'expires_over_group',
        field: 'expires_at',
        limit: 3600,
      });
    await setGroup({ max_expires_in: 0 });
    expect(await sharing.bea.client.call(getImage, { params: { key: image.key } })).toMatchObject({ expires_at: null });
  });
});
