import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { getSystem, runCleanUp } from '#api/admin/system.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { listImages } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

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
