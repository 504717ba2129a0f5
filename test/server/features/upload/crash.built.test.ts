import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { type Reachable, setUp, uploadImage } from '#test/helpers/service/service.ts';

/** More than fit into one commit, so that some are in flight whenever the service is killed. */
const UPLOADS = 150;

const folder = temporaryFolder(afterAll);
const images: Buffer[] = [];
beforeAll(async () => {
  // A few occur twice, as separate pictures with the same bytes.
  for (let index = 0; index < UPLOADS; index++) images.push(await photoJpeg({ width: 400, height: 300, seed: index % 135, gps: true }));
});

const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true }).filter((name) => statSync(join(path, String(name))).isFile()) as string[];

/** Uploads one of the pictures, half of them with an expiry. */
const upload = (service: Reachable, token: string, index: number, headers?: Record<string, string>) =>
  uploadImage(service, token, images[index] as Buffer, index % 2 ? { expires_in: '86400' } : {}, 'photo.jpg', headers);

const keyOf = (index: number) => ({ [IDEMPOTENCY_HEADER]: `picture-${index}` });

/** Uploads all pictures at once and kills the service after `killAfter` responses. Returns the stored pictures by their indices, and the token. */
async function uploadUntilKilled(dataDir: string, killAfter: number, headers?: typeof keyOf) {
  const service = await startChildService(dataDir);
  const token = await (await setUp(service)).token('upload');
  const stored = new Map<number, Uploaded>();
  const all = images.map(async (_, index) => {
    stored.set(index, await upload(service, token, index, headers?.(index)));
    if (stored.size === killAfter) await service.kill();
  });
  const results = await Promise.allSettled(all);
  expect(results.some(({ status }) => status === 'rejected')).toBe(true);
  return { stored, token };
}

it.each([1, 10, 30])('keeps every acknowledged upload, and nothing half done, when killed after %i responses', async (killAfter) => {
  const dataDir = join(folder, String(killAfter));
  const stored = [...(await uploadUntilKilled(dataDir, killAfter)).stored.values()];
  expect(stored.length).toBeGreaterThanOrEqual(killAfter);
  const service = await startChildService(dataDir);
  try {
    expect(filesBelow(join(dataDir, 'tmp'))).toEqual([]);
    for (const { key, ext, sha256, size } of stored) {
      const served = await fetch(`${service.url}/i/${key}.${ext}`);
      const bytes = Buffer.from(await served.arrayBuffer());
      expect([served.status, bytes.length, hash('sha256', bytes)]).toEqual([200, size, sha256]);
    }
    const blobs = filesBelow(join(dataDir, 'blobs'));
    // A file's name is the hash of its content, so no blob exists twice and none is torn.
    for (const blob of blobs) {
      const bytes = readFileSync(join(dataDir, 'blobs', blob));
      expect(blob.endsWith(hash('sha256', bytes))).toBe(true);
    }
    expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBeLessThanOrEqual(blobs.length);
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

it('stores no picture twice when every upload is repeated with its key after a crash', async () => {
  const dataDir = join(folder, 'keys');
  const { stored, token } = await uploadUntilKilled(dataDir, 20, keyOf);
  const service = await startChildService(dataDir);
  try {
    const again: Uploaded[] = [];
    // No more at once than a user may send.
    for (let from = 0; from < UPLOADS; from += 50) {
      const part = [...images.keys()].slice(from, from + 50);
      again.push(...(await Promise.all(part.map((index) => upload(service, token, index, keyOf(index))))));
    }
    expect(new Set(again.map(({ key }) => key)).size).toBe(UPLOADS);
    for (const [index, { key }] of stored) expect(again[index]).toMatchObject({ key, reused: true });
    const db = await openDatabase(join(dataDir, 'pixdock.db'));
    expect(await db.read.selectFrom('images').select('id').execute()).toHaveLength(UPLOADS);
    await db.close();
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

it('has exactly one blob for every distinct picture in the database', async () => {
  for (const dataDir of readdirSync(folder)) {
    const db = await openDatabase(join(folder, dataDir, 'pixdock.db'));
    const rows = await db.read.selectFrom('images').select('sha256').distinct().execute();
    const blobs = filesBelow(join(folder, dataDir, 'blobs')).map((path) => path.split('/').at(-1));
    expect(blobs.sort()).toEqual(rows.map(({ sha256 }) => sha256).sort());
    await db.close();
  }
});
