import { describe, expect, it } from 'vitest';
import * as api from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser } from '#api/admin/users.ts';
import { getLimits } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { listImages } from '#api/images/images.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { gif, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { type AddedUser, addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

type Limits = Parameters<typeof owner.client.call<typeof api.createGroup>>[1]['body'];
let members = 0;

/** A new user in a group of their own with these limits. */
async function memberWith(limits: Omit<Limits, 'name'>): Promise<AddedUser & { upload: string }> {
  const name = `member${++members}`;
  const user = await addUser(service, name);
  const group = await owner.client.call(api.createGroup, { body: { name, ...limits } });
  await owner.client.call(changeUser, { params: { id: String(user.id) }, body: { group_id: group.id } });
  return { ...user, upload: await user.token('upload') };
}

describe('the quota', () => {
  it('is exact under concurrent uploads, and refused ones leave nothing behind', async () => {
    const images = await Promise.all(Array.from({ length: 12 }, (_, seed) => photoJpeg({ seed: 100 + seed })));
    const member = await memberWith({});
    const first = await uploadImage(service, member.upload, images[0] as Buffer);
    const group = (await owner.client.call(api.listGroups, { query: {} })).items.at(-1);
    const quota = first.size * 5;
    await owner.client.call(api.changeGroup, { params: { id: String(group?.id) }, body: { storage_quota_bytes: quota } });
    const results = await Promise.allSettled(images.slice(1).map((bytes) => uploadImage(service, member.upload, bytes)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 413, code: 'quota_exceeded', details: { max_bytes: quota } });
    const limits = await member.client.call(getLimits, {});
    const { items } = await member.client.call(listImages, { query: {} });
    expect(items).toHaveLength(12 - refused.length);
    expect(limits.storage_used_bytes).toBe(items.reduce((sum, { size }) => sum + size, 0));
    expect(limits.storage_used_bytes).toBeLessThanOrEqual(quota);
    expect(limits.storage_quota_bytes).toBe(quota);
  });

  it('does not apply to a repeated upload of the same picture', async () => {
    const member = await memberWith({});
    const bytes = await photoJpeg({ seed: 120 });
    const first = await uploadImage(service, member.upload, bytes);
    const group = (await owner.client.call(api.listGroups, { query: {} })).items.at(-1);
    await owner.client.call(api.changeGroup, { params: { id: String(group?.id) }, body: { storage_quota_bytes: first.size } });
    expect(await uploadImage(service, member.upload, bytes)).toMatchObject({ key: first.key, reused: true });
    await expect(uploadImage(service, member.upload, await photoJpeg({ seed: 121 }))).rejects.toMatchObject({ code: 'quota_exceeded' });
  });
});

it('accepts allowed formats only, detected from the bytes, not the name', async () => {
  const member = await memberWith({ allowed_exts: ['png', 'jpg'] });
  expect(await uploadImage(service, member.upload, await png({ seed: 1 }), {}, 'x.gif')).toMatchObject({ ext: 'png' });
  expect(await uploadImage(service, member.upload, await photoJpeg({ seed: 130 }), {}, 'x.jpeg')).toMatchObject({ ext: 'jpg' });
  await expect(uploadImage(service, member.upload, await gif({ seed: 1 }), {}, 'x.png')).rejects.toMatchObject({
    status: 415,
    code: 'ext_not_allowed',
    details: { allowed_exts: ['png', 'jpg'] },
  });
});

describe('expiry and views', () => {
  it('use the group’s defaults, and cannot exceed its caps', async () => {
    const member = await memberWith({ default_expires_in: 3600, max_expires_in: 7200, default_max_views: 3, max_max_views: 10 });
    const before = Date.now();
    const image = await uploadImage(service, member.upload, await photoJpeg({ seed: 140 }));
    expect(image.max_views).toBe(3);
    expect(Date.parse(image.expires_at as string)).toBeGreaterThanOrEqual(before + 3600_000);
    expect(Date.parse(image.expires_at as string)).toBeLessThanOrEqual(Date.now() + 3600_000);
    const upload = async (fields: Record<string, string>) => uploadImage(service, member.upload, await photoJpeg({ seed: 141 }), fields);
    await expect(upload({ expires_in: '7201' })).rejects.toMatchObject({
      status: 400,
      code: 'expires_over_group',
      details: { field: 'expires_in' },
    });
    await expect(upload({ max_views: '11' })).rejects.toMatchObject({
      status: 400,
      code: 'max_views_over_group',
      details: { field: 'max_views' },
    });
    expect(await upload({ expires_in: '7200', max_views: '10' })).toMatchObject({ max_views: 10 });
  });

  it('are capped even if the upload doesn’t set them', async () => {
    const member = await memberWith({ max_expires_in: 60, max_max_views: 2 });
    for (const fields of [{}, { expires_in: '0', max_views: '0' }] as Record<string, string>[]) {
      const image = await uploadImage(service, member.upload, await photoJpeg({ seed: 142 }), fields);
      expect(image.max_views).toBe(2);
      expect(Date.parse(image.expires_at as string) - Date.now()).toBeLessThanOrEqual(60_000);
    }
  });

  it('use a default without a cap only if the upload doesn’t set them; 0 is permanent and unlimited', async () => {
    const member = await memberWith({ default_expires_in: 3600, default_max_views: 3 });
    const upload = async (fields: Record<string, string>) => uploadImage(service, member.upload, await photoJpeg({ seed: 144 }), fields);
    expect(await upload({ expires_in: '0', max_views: '0' })).toMatchObject({ expires_at: null, max_views: 0 });
    expect(await upload({ expires_in: '', max_views: '' })).toMatchObject({ expires_at: expect.any(String), max_views: 3 });
  });

  it.each([
    ['expires_in', '31622401'],
    ['expires_in', '-1'],
    ['expires_in', '1.5'],
    ['max_views', '1000001'],
    ['expires_in', ' '],
    ['expires_in', '0x10'],
    ['max_views', '1e3'],
    ['max_views', 'many'],
  ])('refuse %s=%s for every group', async (field, value) => {
    const request = uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 143 }), { [field]: value });
    await expect(request).rejects.toMatchObject({ status: 400, code: 'invalid_request', details: { field } });
  });
});

it('limits rates per user, and returns when to retry', async () => {
  const member = await memberWith({ uploads_per_minute: 2 });
  const other = await memberWith({ uploads_per_minute: 2 });
  const bytes = await photoJpeg({ seed: 150 });
  const second = await member.token('full');
  await uploadImage(service, member.upload, bytes);
  await uploadImage(service, second, bytes);
  const refused = await uploadImage(service, member.upload, bytes).catch((error) => error);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.details.retry).toBe('later');
  expect(refused.details.retry_after).toBeGreaterThanOrEqual(1);
  expect(refused.details.retry_after).toBeLessThanOrEqual(60);
  await uploadImage(service, other.upload, bytes);
});

describe('upload by URL', () => {
  const fetchUrl = (token: string | undefined, body: { url: string } & Record<string, unknown>) =>
    createClient({ baseUrl: service.url, ...(token && { token }) }).call(uploadUrl, { query: {}, body });

  it('stores the picture like an upload, with the same options and limits', async () => {
    const bytes = await photoJpeg({ seed: 160, gps: true });
    await using web = await startWebServer((_request, response) => void response.end(bytes));
    const member = await memberWith({ max_file_bytes: bytes.length, allowed_exts: ['jpg'], max_max_views: 10 });
    const url = `${web.url}/folder/holiday.jpg`;
    await expect(fetchUrl(member.upload, { url })).rejects.toMatchObject({ code: 'url_not_allowed', details: { field: 'url' } });
    expect(web.requests).toEqual([]);
    await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } });

    const image = await fetchUrl(member.upload, { url, visibility: 'private', max_views: 4 });
    expect(image).toMatchObject({ name: 'holiday.jpg', ext: 'jpg', visibility: 'private', max_views: 4, reused: false });
    expect((await member.fetch(new URL(image.links.url).pathname)).status).toBe(200);
    await expect(fetchUrl(member.upload, { url, max_views: 11 })).rejects.toMatchObject({ code: 'max_views_over_group' });
    await using large = await startWebServer((_request, response) => void response.end(Buffer.concat([bytes, bytes])));
    await expect(fetchUrl(member.upload, { url: large.url })).rejects.toMatchObject({ status: 413, code: 'file_too_large' });
    await using page = await startWebServer((_request, response) => void response.end('<html>'));
    await expect(fetchUrl(member.upload, { url: page.url })).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed' });
  });

  it('is closed to guests and requires an address', async () => {
    await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
    await expect(fetchUrl(undefined, { url: 'http://127.0.0.1/' })).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    await expect(fetchUrl(await owner.token('upload'), { url: '' })).rejects.toMatchObject({ status: 400, details: { field: 'url' } });
  });
});
