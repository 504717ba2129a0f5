import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onDisk } from '#server/platform/files/staged-file.ts';
import { type Announcement, openStaging, type Staging } from '#server/platform/storage/staging.ts';
import { privateJpeg } from '#test/helpers/pictures/private-metadata.ts';
import { strippedJpeg } from '#test/helpers/pictures/stripped.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

it('writes chunks of any size and computes size and hash', async () => {
  const staging = openStaging(temporaryFolder());
  const bytes = randomBytes(1_000_003);
  const writer = await staging.create();
  for (let at = 0, piece = 1; at < bytes.length; at += piece, piece = (piece * 7) % 65_537)
    await writer.write(bytes.subarray(at, at + piece));
  const file = await writer.finish();
  expect(file.size).toBe(bytes.length);
  expect(file.sha256).toBe(hash('sha256', bytes));
  expect(readFileSync(file.path).equals(bytes)).toBe(true);
});

it('leaves nothing behind when discarded, whether finished or not', async () => {
  const folder = temporaryFolder();
  const staging = openStaging(folder);
  const half = await staging.create();
  await half.write(randomBytes(10));
  await half[Symbol.asyncDispose]();
  const whole = await staging.create();
  await whole.finish();
  await whole[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(process.platform === 'linux')('leaves nothing behind, and nothing open, when discarded while it is opened', async () => {
  const folder = temporaryFolder();
  const staging = openStaging(folder);
  const writer = await staging.create(10);
  const refused = expect(writer.write(randomBytes(20))).rejects.toThrow('discarded');
  await writer[Symbol.asyncDispose]();
  await refused;
  expect(readdirSync(folder)).toEqual([]);
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // the one that lists them
    }
  });
  expect(open.filter((path) => path.startsWith(folder))).toEqual([]);
});

it('leaves nothing behind when a file whose metadata were removed is discarded while it is restored', async () => {
  const folder = temporaryFolder();
  const staging = openStaging(folder);
  const bytes = await privateJpeg();
  const writer = await staging.receive({ rights: {} });
  await writer.write(bytes);
  const [restored] = await Promise.allSettled([(await writer.finish()).original(), writer[Symbol.asyncDispose]()]);
  // Nothing has a file that is gone.
  expect(restored).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/discarded/) } });
  expect(readdirSync(folder)).toEqual([]);
});

it("doesn't retain the caller's array", async () => {
  const staging = openStaging(temporaryFolder());
  const writer = await staging.create();
  const reused = Buffer.from('one');
  await writer.write(reused);
  reused.write('two');
  const file = await writer.finish();
  expect(readFileSync(file.path, 'utf8')).toBe('one');
});

it('holds a small file in memory, and writes it only for those who need it on the disk', async () => {
  const folder = temporaryFolder();
  const staging = openStaging(folder);
  const bytes = randomBytes(10_000);
  const writer = await staging.create(bytes.length + 300);
  for (let at = 0; at < bytes.length; at += 999) await writer.write(bytes.subarray(at, at + 999));
  const file = await writer.finish();
  expect(file.sha256).toBe(hash('sha256', bytes));
  expect([file.size, readdirSync(folder)]).toEqual([bytes.length, []]);
  expect(readFileSync(await onDisk(file)).equals(bytes)).toBe(true);
  expect(await onDisk(file)).toBe(file.path);
  await writer[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
});

it('frees the memory of a file once it is discarded, apart from what it may share', async () => {
  const staging = openStaging(temporaryFolder());
  const left: number[] = [];
  for (const size of [100_000, 100]) {
    const writer = await staging.create(size);
    await writer.write(randomBytes(size));
    const { bytes } = await writer.finish();
    await writer[Symbol.asyncDispose]();
    await writer[Symbol.asyncDispose]();
    left.push(bytes?.length ?? -1);
  }
  expect(left).toEqual([0, 100]);
});

it('moves a file that becomes larger than expected to the disk', async () => {
  const staging = openStaging(temporaryFolder());
  const bytes = randomBytes(5_000);
  const writer = await staging.create(3_000);
  for (let at = 0; at < bytes.length; at += 1_000) await writer.write(bytes.subarray(at, at + 1_000));
  const file = await writer.finish();
  expect(readFileSync(file.path).equals(bytes)).toBe(true);
  expect(file).toMatchObject({ size: 5_000, sha256: hash('sha256', bytes) });
});

it('holds a limited number of bytes, until their files are discarded', async () => {
  const staging = openStaging(temporaryFolder());
  const isHeld = async () => {
    const writer = await staging.create(1024 * 1024);
    await writer.write(Buffer.of(1));
    return { writer, held: (await writer.finish()).bytes !== undefined };
  };
  const first = await Promise.all(Array.from({ length: 40 }, isHeld));
  expect(first.filter(({ held }) => held)).toHaveLength(32);
  for (const { writer } of first) await writer[Symbol.asyncDispose]();
  expect((await isHeld()).held).toBe(true);
});

it('stops receiving once the disk is full', async () => {
  let checks = 0;
  const staging = openStaging(temporaryFolder(), async () => {
    if (++checks === 2) throw new Error('no room');
  });
  const writer = await staging.create();
  const piece = Buffer.alloc(1024 * 1024);
  let written = 0;
  const writeAll = async () => {
    for (; written < 100; written++) await writer.write(piece);
  };
  await expect(writeAll()).rejects.toThrow('no room');
  expect(written).toBeLessThan(20);
  await writer[Symbol.asyncDispose]();
});

/** A JPEG of two megabytes, most of them in two pictures after its end. */
async function largeJpeg(): Promise<Buffer> {
  const photo = await privateJpeg();
  return Buffer.concat([photo, Buffer.alloc(2 * 1024 * 1024, photo)]);
}

async function receive(staging: Staging, file: Buffer, announced: Announcement) {
  const writer = await staging.receive(announced);
  for (let at = 0; at < file.length; at += 60_000) await writer.write(file.subarray(at, at + 60_000));
  return { writer, sent: await writer.finish() };
}

it('removes the metadata of a large JPEG while it arrives, and leaves nothing of it when discarded', async () => {
  const folder = temporaryFolder();
  const file = await largeJpeg();
  const { writer, sent } = await receive(openStaging(folder), file, { bytes: file.length + 300, rights: {} });
  expect(sent).toMatchObject({ size: file.length, sha256: hash('sha256', file) });
  const { stored } = await strippedJpeg(file);
  const taken = await sent.stripped?.take();
  expect(taken).toMatchObject({ size: stored.length, sha256: hash('sha256', stored) });
  expect(readFileSync(taken?.path as string).equals(stored)).toBe(true);
  await writer[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
});

it('restores a large JPEG whose metadata must stay after all, once', async () => {
  const folder = temporaryFolder();
  const file = await largeJpeg();
  const { writer, sent } = await receive(openStaging(folder), file, { rights: {} });
  const [original, again] = await Promise.all([sent.original(), sent.original()]);
  expect(again.path).toBe(original.path);
  expect(original).toMatchObject({ size: sent.size, sha256: sent.sha256 });
  expect(readFileSync(original.path).equals(file)).toBe(true);
  await writer[Symbol.asyncDispose]();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([{}, { rights: {} }])('receives a small JPEG as it is: %j', async (more) => {
  const file = await privateJpeg();
  const { writer, sent } = await receive(openStaging(temporaryFolder()), file, { bytes: file.length, ...more });
  expect(sent.stripped).toBeUndefined();
  expect(Buffer.from((await sent.original()).bytes ?? []).equals(file)).toBe(true);
  await writer[Symbol.asyncDispose]();
});
