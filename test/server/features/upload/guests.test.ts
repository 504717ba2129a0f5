import { describe, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { getSession } from '#api/auth/auth.ts';
import { listImages } from '#api/images/images.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { guestUsage } from '#server/core/images/images.ts';
import { gifBomb } from '#test/helpers/pictures/bombs.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService({ trustProxy: ['loopback'] });

const allow = (guest_upload_enabled: boolean) => owner.client.call(changeAdminSettings, { body: { guest_upload_enabled } });
const GUESTS = { params: { id: '3' } };

describe('guests', () => {
  it('can upload only while an admin allows it', async () => {
    await expect(uploadImage(service, undefined, await photoJpeg({ seed: 1 }))).rejects.toMatchObject({
      status: 403,
      code: 'guest_disabled',
    });
    await allow(true);
    await uploadImage(service, undefined, await photoJpeg({ seed: 1 }));
    await allow(false);
    await expect(uploadImage(service, undefined, await photoJpeg({ seed: 2 }))).rejects.toMatchObject({ code: 'guest_disabled' });
    await allow(true);
  });

  it('get public pictures that expire, always new ones, with a link that deletes them', async () => {
    await owner.client.call(changeGroup, { ...GUESTS, body: { uploads_per_minute: 0, uploads_per_hour: 0, uploads_per_day: 0 } });
    const bytes = await photoJpeg({ seed: 3 });
    const first = await uploadImage(service, undefined, bytes, { visibility: 'private', permission: '0' });
    const second = await uploadImage(service, undefined, bytes);
    expect(first).toMatchObject({ visibility: 'public', reused: false, album_id: null });
    expect(second).toMatchObject({ reused: false });
    expect(second.key).not.toBe(first.key);
    const day = Date.parse(first.expires_at as string) - Date.now();
    expect(day).toBeGreaterThan(86_000_000);
    expect(day).toBeLessThanOrEqual(86_400_000);
    expect(first.links.delete_url).toContain(`/delete/${first.key}/`);
    expect((await fetch(first.links.url)).status).toBe(200);
    await expect(uploadImage(service, undefined, bytes, { expires_in: String(8 * 86_400) })).rejects.toMatchObject({
      code: 'expires_over_group',
    });
    await expect(uploadImage(service, undefined, bytes, { album_id: 'abcdefghij' })).rejects.toMatchObject({ code: 'album_not_found' });
  });

  it('can upload shorter animations than users, which take less time to decode', async () => {
    const long = gifBomb(40, 40, 501);
    await expect(uploadImage(service, undefined, long)).rejects.toMatchObject({ status: 400, code: 'image_too_large' });
    expect(await uploadImage(service, await owner.token('upload'), long)).toMatchObject({ reused: false });
  });

  it('never include a client whose session has ended or belongs to another account', async () => {
    const grace = await addUser(service, 'grace');
    const { user } = await owner.client.call(getSession, {});
    const send = async (headers: Record<string, string>, asUser = user?.id) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(await photoJpeg({ seed: 9 }))]), 'photo.jpg');
      const response = await fetch(`${service.url}/api/v1/upload?as_user=${asUser}`, { method: 'POST', headers, body: form });
      return { status: response.status, body: await response.json() };
    };
    const refused = { status: 401, body: { status: false, data: { code: 'unauthorized' } } };
    expect(await send({})).toMatchObject(refused);
    expect(await send({ cookie: grace.cookie })).toMatchObject(refused);
    expect(await send({ authorization: `Bearer ${await grace.token('upload')}` })).toMatchObject(refused);
    expect((await grace.client.call(listImages, { query: {} })).items).toEqual([]);
    expect(await send({ cookie: owner.cookie })).toMatchObject({ status: 200, body: { data: { name: 'photo.jpg' } } });
    const byUrl = grace.client.call(uploadUrl, { query: { as_user: user?.id }, body: { url: 'http://127.0.0.1/a.png' } });
    await expect(byUrl).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await send({ cookie: owner.cookie }, 0)).toMatchObject({
      status: 400,
      body: { data: { code: 'invalid_request', field: 'as_user' } },
    });
  });

  it('share one storage quota, which an admin can change and which is there from the start', async () => {
    const { items } = await owner.client.call(listGroups, { query: {} });
    expect(items.find(({ kind }) => kind === 'guest')).toMatchObject({ storage_quota_bytes: 5 * 1024 ** 3 });
    const bytes = await photoJpeg({ seed: 4 });
    const { size } = await uploadImage(service, undefined, await photoJpeg({ seed: 5 }));
    const used = await withDatabase(service, async ({ read }) => (await guestUsage(read)).bytes);
    const full = { status: 413, code: 'quota_exceeded', message: 'The storage for guests is full. Try again later, or sign in to upload.' };
    for (const quota of [1, used, used + size / 2]) {
      await owner.client.call(changeGroup, { ...GUESTS, body: { storage_quota_bytes: Math.floor(quota) } });
      const details = { guests: true, max_bytes: Math.floor(quota) };
      await expect(uploadImage(service, undefined, bytes)).rejects.toMatchObject({ ...full, details });
    }
    expect(await withDatabase(service, async ({ read }) => (await guestUsage(read)).bytes)).toBe(used);
    const member = await addUser(service, 'hal');
    await uploadImage(service, await member.token('upload'), bytes);
    await expect(member.client.call(changeGroup, { ...GUESTS, body: { storage_quota_bytes: 0 } })).rejects.toMatchObject({ status: 403 });
    expect((await fetch(`${service.url}/api/v1/admin/groups/3`, { method: 'PATCH' })).status).toBe(401);
    await owner.client.call(changeGroup, { ...GUESTS, body: { storage_quota_bytes: 0 } });
    await uploadImage(service, undefined, bytes);
  });

  it.each([
    ['minute', { uploads_per_minute: 2, uploads_per_hour: 0, uploads_per_day: 0 }, 60, '192.0.2.1'],
    ['hour', { uploads_per_minute: 0, uploads_per_hour: 2, uploads_per_day: 0 }, 3_600, '192.0.2.2'],
    ['day', { uploads_per_minute: 0, uploads_per_hour: 0, uploads_per_day: 2 }, 86_400, '192.0.2.3'],
  ])('have a rate limit per %s and address; Retry-After gives the delay', async (_name, body, seconds, address) => {
    await owner.client.call(changeGroup, { ...GUESTS, body });
    expect([await uploadFrom(address), await uploadFrom(address)].map(({ status }) => status)).toEqual([200, 200]);
    const refused = await uploadFrom(address);
    expect([refused.status, refused.code]).toEqual([429, 'rate_limited']);
    const wait = Number(refused.retryAfter);
    expect(refused.retryAfter).toMatch(/^\d+$/);
    expect(wait).toBeGreaterThan(seconds - 30);
    expect(wait).toBeLessThanOrEqual(seconds);
    expect((await uploadFrom('192.0.2.99')).status).toBe(200);
  });

  it('cannot evade the limit with the addresses of an IPv6 network', async () => {
    await owner.client.call(changeGroup, { ...GUESTS, body: { uploads_per_minute: 1, uploads_per_hour: 0, uploads_per_day: 0 } });
    expect((await uploadFrom('2001:db8:1:2::1')).status).toBe(200);
    expect((await uploadFrom('2001:db8:1:2:ffff::2')).status).toBe(429);
    expect((await uploadFrom('2001:db8:1:3::1')).status).toBe(200);
  });
});

let seed = 1000;

/** An upload by a guest whose address a proxy forwards. */
async function uploadFrom(address: string) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await photoJpeg({ seed: ++seed, width: 32, height: 32 }))]), 'x.jpg');
  const response = await fetch(`${service.url}/api/v1/upload`, { method: 'POST', headers: { 'x-forwarded-for': address }, body: form });
  const { data } = (await response.json()) as { data: { code?: string } };
  return { status: response.status, code: data.code, retryAfter: response.headers.get('retry-after') };
}
