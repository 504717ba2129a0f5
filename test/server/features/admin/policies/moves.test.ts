import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import * as api from '#api/admin/policies.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { getSystem, runCleanUp } from '#api/admin/system.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { listImages } from '#api/images/images.ts';
import type { ServiceContext } from '#server/boot/compose.ts';
import { moveBatch } from '#server/features/admin/policies/moves.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { UNUSED_KEPT_MS } from '#test/helpers/service/data/unused-files.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

async function open() {
  const store = await startObjectStore();
  const folder = temporaryFolder();
  const { context, url, close } = await openTestContext(undefined);
  onTestFinished(close);
  const service = { url, setupCode: context.setupCode };
  const owner = await setUp(service);
  const policy = await owner.client.call(api.createPolicy, { body: { name: 'Bucket', driver: 's3', config: store.access } });
  const token = await owner.token('full');
  const upload = async (seed: number) => uploadImage(service, token, await photoJpeg({ seed, width: 200, height: 100 }));
  const move = (from: number, to: number) =>
    owner.client.call(api.movePolicy, { params: { id: String(from) }, body: { to_policy_id: to } });
  const progress = async (id: number) =>
    (await owner.client.call(api.listPolicies, { query: {} })).items.find((one) => one.id === id)?.move;
  return { store, folder, context, service, owner, policy, upload, move, progress };
}

const run = (context: ServiceContext) => moveBatch({ ...context, db: context.db.as('job') }, new AbortController().signal);

it('moves pictures into a bucket and back while their links keep working, and reports its progress', async () => {
  const { store, context, policy, upload, move, progress, service } = await open();
  const images = [await upload(1), await upload(2), await upload(3)];
  const read = async () =>
    Promise.all(
      images.map(async ({ key, ext }) => {
        const response = await fetch(`${service.url}/i/${key}.${ext}`);
        return [response.status, (await response.arrayBuffer()).byteLength];
      }),
    );
  const before = await read();
  expect((await move(1, policy.id)).move).toEqual({ to_policy_id: policy.id, moved: 0, remaining: 3, fault: null });
  await expect(move(policy.id, 1)).rejects.toMatchObject({ code: 'conflict', details: { problem: 'policy_moving' } });
  expect(await run(context)).toBe(3);
  expect(await progress(1)).toMatchObject({ moved: 3, remaining: 0 });
  expect(await read()).toEqual(before);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + UNUSED_KEPT_MS });
  await context.blobs.sweep();
  vi.useRealTimers();
  expect(await read()).toEqual(before);
  const local = await context.blobs.driverOf(1);
  for (const { sha256 } of images) expect(await local.has(sha256)).toBe(false);
  expect(store.requests.filter((request) => /^PUT .*[0-9a-f]{64}$/.test(request))).toHaveLength(3);
  expect((await fetch(`${service.url}/t/${images[0]?.key}.jpg`)).status).toBe(200);
  expect(await run(context)).toBe(0);
  expect(await progress(1)).toBeNull();
  await move(policy.id, 1);
  expect(await run(context)).toBe(3);
  await context.blobs.sweep();
  expect(await read()).toEqual(before);
});

it('waits while the object store is down, reports it, and continues where it was', async () => {
  const { store, context, policy, upload, move, progress } = await open();
  await upload(4);
  await move(1, policy.id);
  store.fail(503, 'SlowDown');
  expect(await run(context)).toBe(0);
  expect(readdirSync(context.staging.folder)).toEqual([]);
  expect(await progress(1)).toMatchObject({ moved: 0, remaining: 1, fault: expect.stringContaining('isn’t available') });
  store.intercept(undefined);
  expect(await run(context)).toBe(1);
  expect(await progress(1)).toMatchObject({ moved: 1, remaining: 0, fault: null });
});

it('serves a picture that is moved while a request for it waits', async () => {
  const { context, policy, upload, move, service } = await open();
  const image = await upload(5);
  const local = await context.blobs.driverOf(1);
  const openLocal = local.open.bind(local);
  local.open = async (sha256, options) => {
    local.open = openLocal;
    await move(1, policy.id);
    await run(context);
    await context.blobs.sweep();
    return openLocal(sha256, options);
  };
  const response = await fetch(`${service.url}/i/${image.key}.${image.ext}`);
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, image.size]);
});

it('leaves lost files where they are, and stops when asked to', async () => {
  const { context, policy, upload, move, progress, owner } = await open();
  const image = await upload(6);
  await (await context.blobs.driverOf(1)).remove(image.sha256);
  await move(1, policy.id);
  expect(await run(context)).toBe(1);
  expect(await progress(1)).toMatchObject({ moved: 0, remaining: 1 });
  await run(context);
  expect(await progress(1)).toBeNull();
  await move(1, policy.id);
  await owner.client.call(api.stopPolicyMove, { params: { id: '1' } });
  expect(await progress(1)).toBeNull();
  await expect(move(1, 1)).rejects.toMatchObject({ details: { field: 'to_policy_id' } });
});

const store = await startObjectStore(afterAll);
const { service, owner } = await startFileService();
const token = await owner.token('full');
const { id } = await owner.client.call(createPolicy, { body: { name: 'Bucket', driver: 's3', config: store.access } });
await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id] } });

interface Result {
  status: number;
  retryAfter: string | null;
  sha256?: string;
  key?: string;
}

/** Without the retries of the project's clients. */
async function upload(seed: number, bytes: Buffer): Promise<Result> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), `${seed}.jpg`);
  const headers = { authorization: `Bearer ${token}`, [IDEMPOTENCY_HEADER]: `outage-${seed}`, connection: 'close' };
  const response = await fetch(`${service.url}/api/v1/upload`, { method: 'POST', headers, body: form });
  const { data } = (await response.json()) as { data: { key: string; sha256: string } };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ...(response.ok && data) };
}

async function view(key: string) {
  const response = await fetch(`${service.url}/i/${key}.jpg`, { headers: { connection: 'close' } });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), bytes: (await response.arrayBuffer()).byteLength };
}

it('refuses uploads and views with 503 while the object store refuses connections, then continues without loss or duplicates', async () => {
  const early = await upload(0, await photoJpeg({ seed: 0 }));
  const key = String(early.key);
  const pictures = await Promise.all(Array.from({ length: 8 }, (_, seed) => photoJpeg({ seed: seed + 1, width: 200, height: 150 })));
  const attempt = () => Promise.all(pictures.map((bytes, index) => upload(index + 1, bytes)));

  // The store goes away in the middle: some objects are stored, and of some the service never learns.
  let stored = 0;
  let stopped: Promise<void> | undefined;
  store.intercept(({ method }, response) => {
    if (method === 'PUT' && ++stored === 4) response.once('finish', () => (stopped = store.stop()));
    return stored > 4; // these get no response
  });
  const first = await attempt();
  await stopped;
  store.intercept(undefined);
  rmSync(join(service.dataDir, 'cache'), { recursive: true });

  const refused = { status: 503, retryAfter: '30' };
  const successes = first.filter(({ status }) => status === 200).length;
  expect(successes).toBeLessThan(8);
  expect(first.filter(({ status }) => status !== 200)).toEqual(Array(8 - successes).fill(refused));
  expect(await view(key)).toMatchObject(refused);
  const healthy = async () => (await owner.client.call(getSystem, {})).disks.find(({ policy }) => policy === 'Bucket')?.healthy;
  expect(await healthy()).toBe(false);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);

  await store.start();
  expect(await view(key)).toMatchObject({ status: 200 });
  const second = await attempt();
  expect(second.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await healthy()).toBe(true);
  // Those that were acknowledged are the same as then.
  for (const [index, { key: known }] of first.entries()) if (known) expect(second[index]?.key).toBe(known);
  const { items } = await owner.client.call(listImages, { query: {} });
  expect(items.map((item) => item.key).sort()).toEqual([key, ...second.map((one) => String(one.key))].sort());
  for (const item of items) expect(await view(item.key)).toMatchObject({ status: 200, bytes: item.size });
  const sizes = await withDatabase(service, ({ read }) => read.selectFrom('blobs').select(['sha256', 'size']).orderBy('sha256').execute());
  expect(sizes).toEqual(items.map(({ sha256, size }) => ({ sha256, size })).sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)));

  await owner.client.call(runCleanUp, { body: { what: 'unused' } });
  const listing = await (await fetch(`${store.access.endpoint}/pictures?prefix=pixdock/`)).text();
  const objects = [...listing.matchAll(/<Key>pixdock\/..\/..\/([0-9a-f]{64})<\/Key>/g)].map(([, sha256]) => sha256);
  expect(objects.sort()).toEqual(items.map((item) => item.sha256).sort());
});
