import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { chooseRestore, createBackup } from '#api/admin/backup.ts';
import { changeGroup } from '#api/admin/groups.ts';
import { createPolicy, listPolicies } from '#api/admin/policies.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

const store = await startObjectStore(afterAll);
const { service, owner } = await startFileService();
const token = await owner.token('full');
const { id } = await owner.client.call(createPolicy, { body: { name: 'Bucket', driver: 's3', config: store.access } });
await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id] } });

it('refuses a backup while the object store is down, rather than leaving pictures out', async () => {
  await uploadImage(service, token, await photoJpeg({ seed: 1 }));
  await store.stop();
  await expect(owner.client.call(createBackup, {})).rejects.toMatchObject({ code: 'unavailable' });
  await store.start();
});

it('restores the pictures of a bucket into the data folder, and leaves the bucket alone', async () => {
  const image = await uploadImage(service, token, await photoJpeg({ seed: 2 }));
  const { name, missing } = await owner.client.call(createBackup, {});
  expect(missing).toBe(0);
  const later = await uploadImage(service, token, await photoJpeg({ seed: 3 }));
  await owner.client.call(chooseRestore, { body: { name } });
  store.requests.length = 0;
  await service.restart();

  const again = await newSession(service, OWNER.username, OWNER.password);
  const restored = (await again.client.call(listPolicies, { query: {} })).items.find((policy) => policy.id === id);
  expect(restored).toMatchObject({ driver: 'local', folder: join(service.dataDir, 'policies', String(id)), config: null, image_count: 2 });
  const served = await fetch(`${service.url}/i/${image.key}.${image.ext}`);
  expect([served.status, (await served.arrayBuffer()).byteLength]).toEqual([200, image.size]);
  expect((await fetch(`${service.url}/i/${later.key}.${later.ext}`)).status).toBe(404);
  expect(existsSync(join(service.dataDir, 'cache', `${id}-${image.sha256}`))).toBe(false);
  expect(store.requests).toEqual([]);

  // The bucket still holds the objects of before: another prefix keeps the two apart.
  const body = { name: 'Again', driver: 's3', config: store.access } as const;
  await expect(again.client.call(createPolicy, { body })).rejects.toMatchObject({ details: { problem: 'storage_not_empty' } });
});
