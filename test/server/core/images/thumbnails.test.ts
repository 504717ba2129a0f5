import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { createThumbnails } from '#server/core/images/thumbnails.ts';
import { createDecoding, type DecodingQueue } from '#server/platform/imaging/decoding.ts';
import type { OpenBlob } from '#server/platform/storage/driver.ts';
import { createFileReader, type FileReader } from '#server/platform/storage/file-reader.ts';
import { createLocalStorage } from '#server/platform/storage/local.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const queue = createDecoding({ atOnce: 2, bytes: 1e9 });
const VISITOR = { who: 'visitor' };

/** A blob, and thumbnails of it. */
async function oneBlob(decoding: DecodingQueue, picture?: Buffer) {
  const folder = temporaryFolder();
  const staging = openStaging(join(folder, 'tmp'));
  const sha256 = 'ab'.repeat(32);
  const reader = createFileReader();
  const driver = createLocalStorage(join(folder, 'blobs'), reader);
  await writeFile(join(folder, 'tmp', 'x'), picture ?? (await photoJpeg()));
  await driver.store(sha256, { path: join(folder, 'tmp', 'x') });
  const blobs = { driverOf: async () => driver, onRemoval: () => undefined };
  const thumbs = join(folder, 'thumbs');
  const create = (reader: FileReader) => createThumbnails({ folder: thumbs, staging, decoding, reader, blobs, log: { warn: vi.fn() } });
  return {
    ref: { policyId: 1, sha256 },
    thumbnails: create(reader),
    pathOf: (width: number) => join(thumbs, 'ab/ab', `1-${sha256}`, `${width}.jpg`),
    /** As after a restart, which empties the memory. */
    restarted: () => create(createFileReader()),
  };
}

const bytesOf = async (opened: Promise<OpenBlob>) => buffer((await opened).stream());

/** A queue whose only place is taken until `free` is called. */
function busy() {
  const decoding = createDecoding({ atOnce: 1, bytes: 1e9 });
  const { promise, resolve: free } = Promise.withResolvers<void>();
  void decoding.as({ who: 'other', purpose: 'upload' })(1, () => promise);
  return { decoding, free, waiting: () => decoding.counts().decoding.waiting };
}

it('is sent although a clean-up has just removed it, and made again later', async () => {
  const { ref, thumbnails, pathOf, restarted } = await oneBlob(queue);
  const opened = await thumbnails.open(ref, 120, VISITOR);
  await rm(dirname(pathOf(120)), { recursive: true });
  const made = await bytesOf(Promise.resolve(opened));
  expect((await bytesOf(restarted().open(ref, 120, VISITOR))).equals(made)).toBe(true);
  expect((await readFile(pathOf(120))).subarray(0, -4).equals(made)).toBe(true);
});

it('leaves the queue when everyone who waited for it has left', async () => {
  const { decoding, free, waiting } = busy();
  const { ref, thumbnails } = await oneBlob(decoding);
  const [first, second] = [new AbortController(), new AbortController()];
  const opened = [first, second].map(({ signal }) => thumbnails.open(ref, 120, { ...VISITOR, signal }).catch((error: Error) => error.name));
  await expect.poll(waiting).toBe(1);
  first.abort();
  expect(waiting()).toBe(1);
  second.abort();
  expect(waiting()).toBe(0);
  expect(await Promise.all(opened)).toEqual(['CallerGoneError', 'CallerGoneError']);
  free();
  await thumbnails.settled();
});

it('is made for those who still wait, and for those who come after everyone has left', async () => {
  const { decoding, free, waiting } = busy();
  const { ref, thumbnails } = await oneBlob(decoding);
  const left = new AbortController();
  const gone = thumbnails.open(ref, 120, { ...VISITOR, signal: left.signal }).catch((error: Error) => error.name);
  await expect.poll(waiting).toBe(1);
  left.abort();
  const late = thumbnails.open(ref, 120, VISITOR);
  await expect.poll(waiting).toBe(1);
  free();
  const thumbnail = await late;
  expect([await gone, thumbnail.size > 100]).toEqual(['CallerGoneError', true]);
  await thumbnail.close();
});

const half = (file: Buffer) => file.length >> 1;
/** What a power cut leaves of files that were not flushed. */
const TORN: [what: string, tear: (file: Buffer) => Buffer][] = [
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (file) => file.subarray(0, half(file))],
  ['zeros', (file) => Buffer.alloc(file.length)],
  ['zeros at its end', (file) => Buffer.from(file).fill(0, half(file))],
  ['zeros in the middle', (file) => Buffer.from(file).fill(0, half(file), half(file) + 50)],
];

it.each(TORN)('regenerates a thumbnail that is %s after a power cut', async (_, tear) => {
  const { ref, thumbnails, pathOf, restarted } = await oneBlob(queue);
  const made = await bytesOf(thumbnails.open(ref, 120, VISITOR));
  const file = await readFile(pathOf(120));
  await writeFile(pathOf(120), tear(file));
  expect((await bytesOf(restarted().open(ref, 120, VISITOR))).equals(made)).toBe(true);
  expect((await readFile(pathOf(120))).equals(file)).toBe(true);
});

it.each(TORN)('makes neither a thumbnail nor a placeholder from one that is %s', async (_, tear) => {
  const { ref, thumbnails, pathOf, restarted } = await oneBlob(queue);
  const hash = await thumbnails.hashes(ref);
  await rm(pathOf(400));
  const made = await bytesOf(thumbnails.open(ref, 120, VISITOR));
  await rm(pathOf(120));
  await (await thumbnails.open(ref, 240, VISITOR)).close();
  const torn = tear(await readFile(pathOf(240)));
  await writeFile(pathOf(240), torn);
  expect((await bytesOf(restarted().open(ref, 120, VISITOR))).equals(made)).toBe(true);
  await writeFile(pathOf(120), torn);
  expect(await restarted().hashes(ref)).toEqual(hash);
});

it.each([
  ['a photo', () => photoJpeg(), true],
  ['an opaque PNG', () => png(), true],
  [
    'a transparent PNG',
    () =>
      sharp({ create: { width: 64, height: 48, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
    false,
  ],
])('of version 0.4, which has no checksum, are kept or renewed: of %s', async (_, make, isKept) => {
  const { ref, thumbnails, pathOf, restarted } = await oneBlob(queue, await make());
  const made = await bytesOf(thumbnails.open(ref, 120, VISITOR));
  const earlier = Buffer.concat([made.subarray(0, -2), Buffer.from([0xff, 0xfe, 0, 3, 0x30, 0xff, 0xd9])]);
  await writeFile(pathOf(120), earlier);
  expect((await bytesOf(restarted().open(ref, 120, VISITOR))).equals(isKept ? earlier : made)).toBe(true);
  // It has a checksum from now on, so it isn't looked at again.
  expect((await readFile(pathOf(120))).length).toBe((isKept ? earlier : made).length + 4);
});
