import { describe, expect, it, vi } from 'vitest';
import * as api from '#api/admin/images.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { getStats } from '#api/admin/stats.ts';
import * as systemApi from '#api/admin/system.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { ageUnusedFiles } from '#test/helpers/service/data/unused-files.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bob = await addUser(service, 'bob');
await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
const token = await bob.token('upload');
const bobs: Uploaded[] = [];
for (const seed of [1, 2, 3]) bobs.push(await uploadImage(service, token, await photoJpeg({ seed }), {}, `holiday-${seed}.jpg`));
const hidden = await uploadImage(service, token, await photoJpeg({ seed: 4 }), { visibility: 'private' });
const guests = await uploadImage(service, undefined, await photoJpeg({ seed: 5 }));

type Query = Parameters<typeof owner.client.call<typeof api.listAllImages>>[1]['query'];
const list = (query: Query = {}) => owner.client.call(api.listAllImages, { query });
const keysOf = async (query: Query) => (await list(query)).items.map(({ key }) => key);
const pathOf = (url: string) => new URL(url).pathname;

describe("all users' pictures", () => {
  it('are listed newest first with their owners, including private and guests’ ones, without deletion links', async () => {
    const { items } = await list();
    expect(items.map(({ key, owner: whose }) => [key, whose?.username])).toEqual([
      [guests.key, undefined],
      [hidden.key, 'bob'],
      ...bobs.toReversed().map(({ key }) => [key, 'bob']),
    ]);
    expect(items[0]).toMatchObject({ owner: null, uploader_address: expect.stringContaining('127.0.0.1') });
    expect(JSON.stringify(items)).not.toContain('/delete/');
    expect((await owner.fetch(pathOf(hidden.links.url))).status).toBe(200);
  });

  it.each<[string, Query]>([
    ['all', {}],
    ['one user’s', { user_id: 2 }],
  ])('are paged without gaps: %s', async (_name, query) => {
    const whole = await keysOf(query);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ ...query, limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.items.map(({ key }) => key));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(whole);
  });

  it('can be filtered and found by name, key and link', async () => {
    expect(await keysOf({ user_id: bob.id, visibility: 'private' })).toEqual([hidden.key]);
    expect(await keysOf({ guests: 'true' })).toEqual([guests.key]);
    expect(await keysOf({ q: 'holiday-2' })).toEqual([bobs[1]?.key]);
    expect(await keysOf({ q: hidden.key })).toEqual([hidden.key]);
    expect(await keysOf({ q: `see ${bobs[0]?.links.share_url}` })).toEqual([bobs[0]?.key]);
    expect(await keysOf({ user_id: 999 })).toEqual([]);
  });

  it('have a separate list for the trash', async () => {
    const extra = await uploadImage(service, await bob.token('upload'), await photoJpeg({ seed: 6 }));
    await bob.fetch(`/api/v1/images/${extra.key}`, { method: 'DELETE' });
    expect(await keysOf({ state: 'trash' })).toEqual([extra.key]);
    expect(await keysOf({ state: 'trash', user_id: bob.id })).toEqual([extra.key]);
    expect(await keysOf({})).not.toContain(extra.key);
  });

  it('can be purged, with one result per key, and free the owner’s storage', async () => {
    const token = await bob.token('upload');
    const extra = await uploadImage(service, token, await photoJpeg({ seed: 7 }));
    await bob.fetch(pathOf(extra.links.url)); // cached; the owner's view isn't counted
    const before = await bob.fetch('/api/v1/user/limits').then((response) => response.json());
    const { results } = await owner.client.call(api.purgeImages, { body: { keys: [extra.key, 'xxxxxxxxxxxx', extra.key] } });
    expect(results).toEqual([
      { key: extra.key, ok: true },
      { key: 'xxxxxxxxxxxx', ok: false, code: 'not_found' },
    ]);
    expect((await fetch(extra.links.url)).status).toBe(404);
    expect((await bob.fetch(`/api/v1/images/${extra.key}`)).status).toBe(404);
    const after = await bob.fetch('/api/v1/user/limits').then((response) => response.json());
    expect(before.data.storage_used_bytes - after.data.storage_used_bytes).toBe(extra.size);
  });
});

describe('statistics', () => {
  it('count uploads and views per day and per user', async () => {
    const before = await owner.client.call(getStats, { query: { days: 7 } });
    const image = await uploadImage(service, await bob.token('upload'), await photoJpeg({ seed: 8 }), { max_views: '5' });
    for (let look = 0; look < 3; look++) await (await fetch(image.links.url)).arrayBuffer();
    const after = await owner.client.call(getStats, { query: { days: 7 } });
    const today = (stats: typeof before) => stats.days.at(-1);
    expect(after.days).toHaveLength(7);
    expect(today(after)?.day).toBe(new Date().toISOString().slice(0, 10));
    expect((today(after)?.uploads ?? 0) - (today(before)?.uploads ?? 0)).toBe(1);
    expect((today(after)?.upload_bytes ?? 0) - (today(before)?.upload_bytes ?? 0)).toBe(image.size);
    expect(today(after)?.stored_bytes).toBe(after.totals.stored_bytes);
    expect((today(after)?.views ?? 0) - (today(before)?.views ?? 0)).toBe(3);
    expect(after.days[0]).toMatchObject({ uploads: 0, views: 0 });
    const of = (stats: typeof before, name: string | undefined) => stats.users.find(({ user }) => user?.username === name);
    expect((of(after, 'bob')?.views ?? 0) - (of(before, 'bob')?.views ?? 0)).toBe(3);
    expect(of(after, undefined)).toMatchObject({ user: null, uploads: 1, stored_bytes: guests.size });
    const stored = after.users.map(({ stored_bytes }) => stored_bytes);
    expect(stored).toEqual(stored.toSorted((one, other) => other - one));
    // The same figure as the users', who can't know that others have stored the same.
    await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 8 }));
    const { totals, users } = await owner.client.call(getStats, { query: { days: 7 } });
    expect(totals).toMatchObject({ users: 2, images: before.totals.images + 2 });
    expect(totals.stored_bytes).toBe(users.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0));
    const { data: limits } = await bob.fetch('/api/v1/user/limits').then((response) => response.json());
    expect(of({ ...after, users }, 'bob')?.stored_bytes).toBe(limits.storage_used_bytes);
  });

  it('include views that wait to be stored', async () => {
    const before = await owner.client.call(getStats, { query: { days: 7 } });
    await (await fetch(bobs[0]?.links.url ?? '')).arrayBuffer();
    const after = await owner.client.call(getStats, { query: { days: 7 } });
    expect(after.totals.views - before.totals.views).toBe(1);
  });
});

/** What a clean-up announces to free, in bytes. */
const promised = ({ clean_ups }: systemApi.Space, what: string) => clean_ups.find((one) => one.what === what)?.frees_bytes ?? Number.NaN;

describe('the system', () => {
  it('shows versions, decoders and disks', async () => {
    const ofService = vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(1_000);
    const system = await owner.client.call(systemApi.getSystem, {});
    ofService.mockRestore();
    // With the decoders.
    expect(system.memory_bytes).toBeGreaterThan(10_000_000);
    expect(system).toMatchObject({ data_folder: service.dataDir, decoders: { jpeg: true, heic: expect.any(Boolean) } });
    expect(system.versions).toMatchObject({
      node: process.versions.node,
      database: expect.stringMatching(/^(SQLite 3|PostgreSQL 1)/),
      libvips: expect.any(String),
    });
    expect(system.disks).toMatchObject([{ healthy: true, folder: expect.stringContaining(onPostgres ? '/pictures/' : 'blobs') }]);
    const [disk] = system.disks;
    expect(disk?.reserve_bytes).toBe(Math.min(1024 ** 3, Math.floor((disk?.total_bytes ?? 0) * 0.02)));
  });

  it('shows the size of a clean-up, frees it, and keeps files in use', async () => {
    await owner.client.call(systemApi.runCleanUp, { body: { what: 'trash' } });
    const kept = bobs[0] as Uploaded;
    const extra = await uploadImage(service, await bob.token('upload'), await photoJpeg({ seed: 9 }));
    const thumbnail = await (await fetch(kept.links.thumbnail_url)).arrayBuffer();
    await bob.fetch(`/api/v1/images/${extra.key}`, { method: 'DELETE' });

    const space = await owner.client.call(systemApi.getSpace, {});
    expect(space.trash).toEqual({ bytes: extra.size, images: 1 });
    expect(space.by_year).toMatchObject([{ year: String(new Date().getUTCFullYear()) }]);
    expect(space.by_user.map(({ user }) => user?.username)).toEqual(['bob', 'ada', undefined]);
    expect(space.thumbnails_bytes).toBeGreaterThanOrEqual(thumbnail.byteLength);
    const emptying = await owner.client.call(systemApi.runCleanUp, { body: { what: 'trash' } });
    let freed = emptying.freed_bytes;
    expect(freed).toBe(onPostgres ? 0 : promised(space, 'trash'));
    expect(emptying.later_bytes).toBe(onPostgres ? space.unused_bytes + promised(space, 'trash') : 0);
    expect(promised(await owner.client.call(systemApi.getSpace, {}), 'unused')).toBe(0);
    if (onPostgres) {
      await ageUnusedFiles(service);
      freed = promised(await owner.client.call(systemApi.getSpace, {}), 'unused');
      expect(freed).toBeGreaterThanOrEqual(extra.size);
      expect(await owner.client.call(systemApi.runCleanUp, { body: { what: 'unused' } })).toEqual({ freed_bytes: freed, later_bytes: 0 });
    }
    const emptied = await owner.client.call(systemApi.getSpace, {});
    const { freed_bytes } = await owner.client.call(systemApi.runCleanUp, { body: { what: 'thumbnails' } });
    expect(freed_bytes).toBe(promised(emptied, 'thumbnails'));
    expect(promised(emptied, 'thumbnails')).toBeGreaterThanOrEqual(thumbnail.byteLength);
    const after = await owner.client.call(systemApi.getSpace, {});
    expect(after).toMatchObject({ trash: { bytes: 0, images: 0 }, stored_bytes: space.stored_bytes - freed });
    expect((await fetch(kept.links.url)).status).toBe(200);
    expect((await (await fetch(kept.links.thumbnail_url)).arrayBuffer()).byteLength).toBe(thumbnail.byteLength);
  });
});

describe('the disk reserve', () => {
  it('stops uploads with 507 while less is free, leaves nothing behind, and accepts them again afterwards', async () => {
    const token = await bob.token('upload');
    const before = await keysOf({});
    await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: Number.MAX_SAFE_INTEGER } });
    await expect(uploadImage(service, token, await photoJpeg({ seed: 10 }))).rejects.toMatchObject({ status: 507, code: 'storage_full' });
    expect((await fetch((bobs[0] as Uploaded).links.url)).status).toBe(200);
    expect(await keysOf({})).toEqual(before);
    await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: 0 } });
    await uploadImage(service, token, await photoJpeg({ seed: 10 }));
  });
});
