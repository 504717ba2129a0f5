import { describe, expect, it } from 'vitest';
import * as api from '#api/admin/groups.ts';
import { changeUser } from '#api/admin/users.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();

const list = async () => (await owner.client.call(api.listGroups, { query: {} })).items;
const byId = (id: number) => ({ params: { id: String(id) } });
const MIB = 1024 * 1024;

describe('groups', () => {
  it('include three built-in ones with their default limits', async () => {
    expect(await list()).toMatchObject([
      {
        kind: 'owner',
        max_file_bytes: 0,
        max_video_bytes: 0,
        max_video_seconds: 0,
        storage_quota_bytes: 0,
        uploads_per_minute: 0,
        user_count: 1,
      },
      {
        kind: 'default',
        max_file_bytes: 50 * MIB,
        max_video_bytes: 500 * MIB,
        max_video_seconds: 600,
        storage_quota_bytes: 20 * 1024 * MIB,
        uploads_per_minute: 600,
        uploads_per_hour: 0,
        uploads_per_day: 0,
      },
      {
        kind: 'guest',
        max_file_bytes: 10 * MIB,
        uploads_per_minute: 5,
        uploads_per_hour: 20,
        uploads_per_day: 50,
        default_expires_in: 86_400,
        max_expires_in: 7 * 86_400,
      },
    ]);
    const exts = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tiff'];
    const videos = ['mp4', 'mov', 'webm'];
    for (const { kind, allowed_exts } of await list()) expect(allowed_exts).toEqual(kind === 'guest' ? exts : [...exts, ...videos]);
  });

  it('inherit the default group’s limits unless they are given', async () => {
    const group = await owner.client.call(api.createGroup, {
      body: { name: 'Guild', max_file_bytes: 7, allowed_exts: ['png', 'png', 'gif'] },
    });
    expect(group).toMatchObject({
      name: 'Guild',
      kind: 'custom',
      max_file_bytes: 7,
      allowed_exts: ['png', 'gif'],
      uploads_per_minute: 600,
      user_count: 0,
    });
    expect((await list()).at(-1)).toEqual(group);
  });

  it('change one field at a time; 0 is unlimited', async () => {
    const group = await owner.client.call(api.createGroup, { body: { name: 'Changing' } });
    const changed = await owner.client.call(api.changeGroup, { ...byId(group.id), body: { max_file_bytes: 0, name: 'Changed' } });
    expect(changed).toEqual({ ...group, max_file_bytes: 0, name: 'Changed' });
    expect(await owner.client.call(api.changeGroup, { ...byId(group.id), body: {} })).toEqual(changed);
  });

  it('can be deleted when empty and not built-in', async () => {
    const group = await owner.client.call(api.createGroup, { body: { name: 'Passing' } });
    const bob = await addUser(service, 'bob');
    await owner.client.call(changeUser, { ...byId(bob.id), body: { group_id: group.id } });
    expect((await list()).find(({ id }) => id === group.id)).toMatchObject({ user_count: 1 });
    await expect(owner.client.call(api.deleteGroup, byId(group.id))).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      details: { problem: 'group_not_empty' },
    });
    await owner.client.call(changeUser, { ...byId(bob.id), body: { group_id: 2 } });
    await owner.client.call(api.deleteGroup, byId(group.id));
    for (const id of [1, 2, 3])
      await expect(owner.client.call(api.deleteGroup, byId(id))).rejects.toMatchObject({
        code: 'conflict',
        details: { problem: 'group_built_in' },
      });
    await expect(owner.client.call(api.deleteGroup, byId(group.id))).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['policy_ids', { policy_ids: [1, 99] }],
    ['policy_ids', { policy_ids: [1, 1] }],
    ['policy_ids', { policy_ids: [] }],
    ['allowed_exts', { allowed_exts: ['exe'] }],
    ['allowed_exts', { allowed_exts: [] }],
    ['max_file_bytes', { max_file_bytes: -1 }],
    ['max_file_bytes', { max_file_bytes: 1.5 }],
    ['max_expires_in', { max_expires_in: 367 * 86_400 }],
    ['max_max_views', { max_max_views: 1_000_001 }],
    ['default_expires_in', { default_expires_in: 20, max_expires_in: 10 }],
    ['default_max_views', { default_max_views: 20, max_max_views: 10 }],
    ['name', { name: '  ' }],
  ])('refuse an invalid or contradictory %s and name it: %j', async (field, body) => {
    const response = await owner.fetch('/api/v1/admin/groups/2', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data: { code: string; field: string } };
    expect([response.status, data.code, data.field.split('.')[0]]).toEqual([400, 'invalid_request', field]);
  });
});
