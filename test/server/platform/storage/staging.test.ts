import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onDisk } from '#server/platform/files/staged-file.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
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
