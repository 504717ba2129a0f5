import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import * as groupsApi from '#api/admin/groups.ts';
import { purgeImages } from '#api/admin/images.ts';
import * as api from '#api/admin/policies.ts';
import { deletePolicy } from '#server/features/admin/policies/changes.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

const folder = temporaryFolder(afterAll);
const { service, owner } = await startFileService();
const token = await owner.token('upload');

type NewPolicy = Parameters<typeof owner.client.call<typeof api.createPolicy>>[1]['body'];
const create = (body: NewPolicy) => owner.client.call(api.createPolicy, { body });
const allow = (...policy_ids: number[]) => owner.client.call(groupsApi.changeGroup, { params: { id: '1' }, body: { policy_ids } });
const filesIn = (path: string) => readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe('a storage policy', () => {
  it('stores uploads that name it in its own folder, which it creates if missing', async () => {
    const place = join(folder, 'first', 'deeper');
    const policy = await create({ name: 'Second disk', folder: place });
    expect(policy).toMatchObject({
      name: 'Second disk',
      folder: place,
      driver: 'local',
      image_count: 0,
      keep_metadata: false,
      cache_seconds: 0,
    });
    await allow(1, policy.id);
    const bytes = await photoJpeg({ seed: 21 });
    const here = await uploadImage(service, token, bytes, { policy_id: String(policy.id) });
    const there = await uploadImage(service, token, bytes);
    expect(here).toMatchObject({ reused: false });
    expect(here.key).not.toBe(there.key);
    expect(filesIn(place).map((entry) => entry.name)).toEqual([here.sha256]);
    const served = await fetch(here.links.url);
    expect(Buffer.from(await served.arrayBuffer())).toHaveLength(here.size);
    expect((await fetch(here.links.thumbnail_url)).status).toBe(200);
  });

  it('can be used only by groups that list it', async () => {
    const policy = await create({ name: 'Not for all', folder: join(folder, 'locked') });
    const request = uploadImage(service, token, await photoJpeg({ seed: 22 }), { policy_id: String(policy.id) });
    await expect(request).rejects.toMatchObject({ code: 'policy_not_allowed', details: { field: 'policy_id' } });
  });

  it('applies changes to new pictures only', async () => {
    const policy = await create({ name: 'Small', folder: join(folder, 'small') });
    await allow(1, policy.id);
    const before = await uploadImage(service, token, await photoJpeg({ seed: 23, width: 300, height: 200 }), {
      policy_id: String(policy.id),
    });
    const changed = await owner.client.call(api.changePolicy, {
      params: { id: String(policy.id) },
      body: { max_side: 100, convert_to: 'webp', cache_seconds: 60 },
    });
    expect(changed).toMatchObject({ max_side: 100, convert_to: 'webp', cache_seconds: 60, quality: 85, image_count: 1 });
    const after = await uploadImage(service, token, await photoJpeg({ seed: 24, width: 300, height: 200 }), {
      policy_id: String(policy.id),
    });
    expect([before.ext, before.width]).toEqual(['jpg', 300]);
    expect(after).toMatchObject({ ext: 'webp', width: 100, mime: 'image/webp' });
    const served = await fetch(after.links.url);
    expect(served.headers.get('cache-control')).toBe('public, max-age=60');
    expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({ format: 'webp', width: 100 });
  });

  it('can be deleted once unused, and reports its uses until then', async () => {
    const place = join(folder, 'passing');
    const policy = await create({ name: 'Passing', folder: place });
    const remove = () => owner.client.call(api.deletePolicy, { params: { id: String(policy.id) }, query: {} });
    await allow(1, policy.id);
    await expect(remove()).rejects.toThrow(/Owner/);
    const image = await uploadImage(service, token, await photoJpeg({ seed: 25 }), { policy_id: String(policy.id) });
    await allow(1);
    await owner.fetch(`/api/v1/images/${image.key}`, { method: 'DELETE' });
    await expect(remove()).rejects.toMatchObject({ code: 'conflict' });
    await owner.client.call(purgeImages, { body: { keys: [image.key] } });
    // On a shared database, unused files stay for a while.
    const released = { unused_since: 1 };
    await withDatabase(service, (db) =>
      db.as('job').write((queries) => queries.updateTable('blobs').set(released).where('policy_id', '=', policy.id).execute()),
    );
    await remove();
    expect(existsSync(place)).toBe(true);
    expect(filesIn(place)).toEqual([]);
    await expect(remove()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can be deleted even if a deleted picture’s file can’t be, which then stays', async () => {
    const place = join(folder, 'stuck');
    const policy = await create({ name: 'Stuck', folder: place });
    await allow(1, policy.id);
    const image = await uploadImage(service, token, await photoJpeg({ seed: 26 }), { policy_id: String(policy.id) });
    await allow(1);
    const file = join(place, image.sha256.slice(0, 2), image.sha256.slice(2, 4), image.sha256);
    // A folder in place of the file: removing it fails even for root.
    rmSync(file);
    mkdirSync(file);
    await owner.fetch(`/api/v1/images/${image.key}`, { method: 'DELETE' });
    await owner.client.call(purgeImages, { body: { keys: [image.key] } });
    const remove = (query: { forget_files?: string }) => owner.client.call(api.deletePolicy, { params: { id: String(policy.id) }, query });
    await expect(remove({})).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('forget_files') });
    await remove({ forget_files: 'true' });
    expect(existsSync(file)).toBe(true);
  });

  it('can be deleted although files of deleted pictures aren’t removed yet, which other services may be storing again', async () => {
    const { context, url, close } = await openTestContext();
    onTestFinished(close);
    const { client } = await setUp({ url, setupCode: context.setupCode });
    const { id } = await client.call(api.createPolicy, { body: { name: 'Shared', folder: join(folder, 'shared') } });
    const values = { policy_id: id, sha256: 'ab'.repeat(32), size: 1, unused_since: Date.now() };
    await context.db.as('job').write((queries) => queries.insertInto('blobs').values(values).execute());
    const waiting = { ...context, blobs: { ...context.blobs, sweep: async () => 0 } };
    const origin = { actorId: null, actorName: '', address: '', userAgent: '' };
    await expect(deletePolicy(waiting, 'note', id, false, origin)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('forget_files'),
    });
    await deletePolicy(waiting, 'note', id, true, origin);
    expect((await client.call(api.listPolicies, { query: {} })).items).toHaveLength(1);
  });

  it('cannot be deleted while groups use it, even the first one', async () => {
    await expect(owner.client.call(api.deletePolicy, { params: { id: '1' }, query: {} })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the folder of a storage policy', () => {
  const refused = async (path: string) => {
    await expect(create({ name: 'Refused', folder: path })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'folder' },
    });
  };

  it('must be an absolute path', () => refused('pictures'));
  it('must not contain a zero byte', () => refused('/tmp/a\0b'));
  it('must not lie in the data folder, and is not created there', async () => {
    await refused(join(service.dataDir, 'blobs', 'more', 'deeper'));
    expect(existsSync(join(service.dataDir, 'blobs', 'more'))).toBe(false);
  });
  it('must not contain the data folder', () => refused(join(service.dataDir, '..')));
  it('must not be a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    await refused(join(folder, 'file'));
  });
  it('must be empty', async () => {
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'letter.txt'), 'dear');
    await refused(join(folder, 'full'));
  });
  it('must not overlap with that of another policy, even through a link', async () => {
    await create({ name: 'Taken', folder: join(folder, 'taken') });
    await refused(join(folder, 'taken'));
    await refused(join(folder, 'taken', 'inside'));
    symlinkSync(join(folder, 'taken'), join(folder, 'alias'), 'junction');
    await refused(join(folder, 'alias'));
  });
});

describe('invalid values', () => {
  it.each([
    ['quality', 0],
    ['quality', 101],
    ['max_side', -1],
    ['convert_to', 'heic'],
    ['cache_seconds', 1e9],
    ['name', ''],
  ])('are refused and named: %s %j', async (field, value) => {
    const response = await owner.fetch('/api/v1/admin/policies/1', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [field]: value }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { data: { code: 'invalid_request', field } }]);
  });
});
