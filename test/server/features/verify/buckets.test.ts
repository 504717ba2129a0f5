import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { verifyDataFolder } from '#server/features/verify/verify.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

const store = await startObjectStore(afterAll);
const service = await startTestService();
afterAll(() => service[Symbol.asyncDispose]());
let images: Uploaded[];

/** A stopped service, two pictures of which are in a bucket. */
beforeAll(async () => {
  const owner = await setUp(service);
  const { id } = await owner.client.call(createPolicy, { body: { name: 'Bucket', driver: 's3', config: store.access } });
  await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [id] } });
  const token = await owner.token('upload');
  const upload = async (seed: number) => uploadImage(service, token, await photoJpeg({ seed }), {}, `${seed}.jpg`);
  images = [await upload(1), await upload(2)];
  await service.stop();
});

const keyOf = ({ sha256 }: Uploaded) => `pixdock/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
const request = (key: string, init?: RequestInit) => fetch(`${store.access.endpoint}/pictures/${key}`, init);

async function verify(repair = false) {
  const lines: string[] = [];
  let set: string[] = [];
  const { images } = await verifyDataFolder({ dataDir: service.dataDir }, repair, {
    onStart: () => undefined,
    onBytes: () => undefined,
    onFinding: ({ problem, repair: repaired }, isRepaired) => {
      lines.push(problem);
      if (isRepaired) set = [...set, repaired?.done ?? ''];
    },
  });
  return { images, lines, repaired: set };
}

it('finds nothing wrong with a bucket, and changes nothing in it', async () => {
  store.requests.length = 0;
  expect(await verify()).toEqual({ images: 2, lines: [], repaired: [] });
  expect(store.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
});

it('reports what is missing or damaged in the bucket, whatever its copies contain', async () => {
  const [first, second] = images as [Uploaded, Uploaded];
  const originals = await Promise.all([first, second].map(async (image) => [image, await (await request(keyOf(image))).bytes()] as const));
  await request(keyOf(first), { method: 'PUT', body: 'damaged' });
  await request(keyOf(second), { method: 'DELETE' });
  const { lines } = await verify();
  expect(lines).toHaveLength(2);
  expect(lines).toContain(`pictures/${keyOf(first)}, the file for “1.jpg” (${first.key}), is damaged: its contents don’t match its name.`);
  expect(lines).toContain(`pictures/${keyOf(second)}, the file for “2.jpg” (${second.key}), is missing.`);
  for (const [image, body] of originals) await request(keyOf(image), { method: 'PUT', body });
  expect((await verify()).lines).toEqual([]);
});

it('moves strays out of the bucket into the data folder', async () => {
  await request('pixdock/ab/notes.txt', { method: 'PUT', body: 'stray' });
  const { lines, repaired } = await verify(true);
  expect(lines).toEqual(['pixdock/ab/notes.txt doesn’t belong to any picture.']);
  const [, path = ''] = /^Moved to (.*)\.$/.exec(repaired[0] ?? '') ?? [];
  expect(readFileSync(path, 'utf8')).toBe('stray');
  expect((await verify()).lines).toEqual([]);
});

it('says that a bucket can’t be reached, once', async () => {
  await store.stop();
  const { lines } = await verify();
  await store.start();
  expect(lines).toEqual([expect.stringMatching(/^http:.*pictures\/pixdock\/, the bucket of a storage policy, can’t be reached/)]);
});

it('says the same when the connection is lost in the middle of a file', async () => {
  store.intercept(({ url = '' }, response) => {
    if (!url.includes(keyOf(images[0] as Uploaded))) return false;
    response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy());
    return true;
  });
  const { lines } = await verify();
  store.intercept(undefined);
  expect(lines).toEqual([expect.stringContaining('can’t be reached')]);
});
