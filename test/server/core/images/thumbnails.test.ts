import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createThumbnails } from '#server/core/images/thumbnails.ts';
import type { Blobs } from '#server/platform/storage/blobs.ts';
import { createFileReader, type FileReader } from '#server/platform/storage/file-reader.ts';
import { createLocalStorage } from '#server/platform/storage/local.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
import { unbounded } from '#test/helpers/decoding.ts';
import { temporaryFolder } from '#test/helpers/folder.ts';
import { photoJpeg } from '#test/helpers/images.ts';

/** Thumbnails of one picture whose folder is emptied before a new one is opened, `times` times. */
async function cleanedUp(times: number) {
  const folder = temporaryFolder();
  const staging = openStaging(join(folder, 'tmp'));
  const sha256 = 'ab'.repeat(32);
  const reader = createFileReader();
  const driver = createLocalStorage(join(folder, 'blobs'), reader);
  await writeFile(join(folder, 'tmp', 'x'), await photoJpeg());
  await driver.store(sha256, join(folder, 'tmp', 'x'));
  let opened = 0;
  const emptying: FileReader = {
    ...reader,
    async open(path) {
      if (opened++ <= times) await rm(join(folder, 'thumbs'), { recursive: true, force: true });
      return reader.open(path);
    },
  };
  const blobs = { driverOf: async () => driver } as Pick<Blobs, 'driverOf'> as Blobs;
  const thumbnails = createThumbnails(join(folder, 'thumbs'), staging, unbounded, emptying, () => blobs);
  return () => thumbnails.open({ policyId: 1, sha256 }, 120);
}

it('regenerates a thumbnail that a clean-up removed before it was opened', async () => {
  const thumbnail = await (await cleanedUp(1))();
  expect(thumbnail.size).toBeGreaterThan(100);
  await thumbnail.close();
});

it('gives up after repeated clean-ups', async () => {
  await expect((await cleanedUp(100))()).rejects.toThrow(/missing/);
});
