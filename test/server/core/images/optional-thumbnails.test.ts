import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { createHeicSupport } from '#server/core/images/heic-support.ts';
import { createThumbnails } from '#server/core/images/thumbnails.ts';
import { BusyError } from '#server/platform/base/errors.ts';
import { createDecoding } from '#server/platform/imaging/decoding.ts';
import type { BlobRef } from '#server/platform/storage/blob-rows.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { createLocalStorage } from '#server/platform/storage/local.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const VISITOR = { who: 'visitor' };
const OPTIONAL = ['webp', 'avif'] as const;

/** Pictures, and their thumbnails that aren't JPEGs, which together may take so many bytes. */
async function thumbnailsOf(pictures: Buffer[], maxBytes = 1e9) {
  const folder = temporaryFolder();
  const staging = openStaging(join(folder, 'tmp'));
  const driver = createLocalStorage(join(folder, 'blobs'), createFileReader());
  const refs = await Promise.all(
    pictures.map(async (picture, index): Promise<BlobRef> => {
      const sha256 = String(index).padStart(2, 'a').repeat(32);
      await writeFile(join(folder, 'tmp', sha256), picture);
      await driver.store(sha256, { path: join(folder, 'tmp', sha256) });
      return { policyId: 1, sha256 };
    }),
  );
  const removals: ((ref: BlobRef) => Promise<void>)[] = [];
  const blobs = { driverOf: async () => driver, onRemoval: (remove: (ref: BlobRef) => Promise<void>) => void removals.push(remove) };
  const log = { warn: vi.fn() };
  const thumbs = join(folder, 'thumbs');
  const place = join(thumbs, 'formats');
  const decoding = createDecoding({ atOnce: 2, bytes: 1e9 });
  const open = () =>
    createThumbnails({ folder: thumbs, staging, decoding, reader: createFileReader(), blobs, log, maxOptionalBytes: maxBytes });
  const files = () => {
    if (!existsSync(place)) return [];
    const entries = readdirSync(place, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  const bytes = () => files().reduce((sum, path) => sum + statSync(path).size, 0);
  return {
    refs,
    thumbnails: open(),
    restarted: open,
    remove: (ref: BlobRef) => Promise.all(removals.map((run) => run(ref))),
    files,
    bytes,
    log,
  };
}

const contentOf = async (opened: Promise<{ stream(): NodeJS.ReadableStream }>) => buffer((await opened).stream());
const first = ([ref]: BlobRef[]) => ref as BlobRef;

it('keeps transparency, in all widths, and never enlarges', async () => {
  const { refs, thumbnails } = await thumbnailsOf([await png({ alpha: true, width: 500, height: 250 })]);
  for (const format of OPTIONAL)
    for (const width of [120, 400, 1600] as const) {
      const picture = await contentOf(thumbnails.open(first(refs), width, VISITOR, format));
      const expected = { format: format === 'avif' ? 'heif' : format, width: Math.min(width, 500), hasAlpha: true };
      expect(await sharp(picture).metadata()).toMatchObject(expected);
    }
});

it('makes what isn’t there in the background when asked, once, and says when it is there', async () => {
  const { refs, thumbnails, files } = await thumbnailsOf([await photoJpeg()]);
  const asked = await Promise.all([1, 2, 3].map(() => thumbnails.isReady(first(refs), 400, 'avif')));
  expect(asked).toEqual([false, false, false]);
  await thumbnails.settled();
  expect([await thumbnails.isReady(first(refs), 400, 'avif'), files().length]).toEqual([true, 1]);
});

it('reports what can’t be made, and doesn’t try again at once', async () => {
  const { refs, thumbnails, log } = await thumbnailsOf([Buffer.from('no picture')]);
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await thumbnails.isReady(first(refs), 400, 'avif')).toBe(false);
    await thumbnails.settled();
  }
  expect(log.warn).toHaveBeenCalledTimes(1);
});

it('stays within its limit, also after a restart; the least recently used leaves first', async () => {
  const pictures = await Promise.all([1, 2, 3, 4].map((seed) => photoJpeg({ seed, width: 800, height: 600 })));
  const limit = 60_000;
  const { refs, thumbnails, restarted, bytes, log } = await thumbnailsOf(pictures, limit);
  const all = async (some: typeof thumbnails, width: number) => {
    for (const ref of refs) for (const format of OPTIONAL) await contentOf(some.open(ref, width, VISITOR, format));
  };
  await all(thumbnails, 400);
  await all(thumbnails, 200);
  await expect.poll(bytes).toBeLessThanOrEqual(limit);
  expect(bytes()).toBeGreaterThan(limit / 4);
  await all(restarted(), 640);
  await expect.poll(bytes).toBeLessThanOrEqual(limit);
  expect(log.warn).not.toHaveBeenCalled();
});

it('makes again what is lost or damaged, and goes with its picture', async () => {
  const { refs, thumbnails, files, remove, restarted } = await thumbnailsOf([await photoJpeg(), await photoJpeg({ seed: 2 })]);
  const [ref, other] = refs as [BlobRef, BlobRef];
  const whole = await contentOf(thumbnails.open(ref, 400, VISITOR, 'webp'));
  await contentOf(thumbnails.open(other, 400, VISITOR, 'webp'));
  const path = files().find((file) => file.includes(ref.sha256)) ?? '';
  await writeFile(path, Buffer.alloc(100));
  expect(await contentOf(restarted().open(ref, 400, VISITOR, 'webp'))).toEqual(whole);
  await rm(path);
  expect(await contentOf(restarted().open(ref, 400, VISITOR, 'webp'))).toEqual(whole);
  await remove(ref);
  expect(files()).toEqual([expect.stringContaining(other.sha256)]);
});

const logging = () => ({ error: vi.fn(), warn: vi.fn() });

it.each([true, false])('keeps the result of the test: %s', async (works) => {
  const probe = vi.fn(async () => works);
  const heic = createHeicSupport(logging(), probe);
  expect([await heic.isSupported(), await heic.isSupported()]).toEqual([works, works]);
  expect(probe).toHaveBeenCalledOnce();
});

it('tests again after a test that could not run, and lets uploads through meanwhile', async () => {
  const log = logging();
  const probe = vi.fn(async () => false).mockRejectedValueOnce(new BusyError());
  const heic = createHeicSupport(log, probe);
  expect(await heic.isSupported()).toBe(true);
  expect(log.error).toHaveBeenCalledWith({ err: expect.any(BusyError) }, expect.any(String));
  expect(await heic.isSupported()).toBe(false);
  expect(await heic.isSupported()).toBe(false);
  expect(probe).toHaveBeenCalledTimes(2);
});
