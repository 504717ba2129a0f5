import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fileThread } from '#server/platform/files/file-thread.ts';
import { moveDurably } from '#server/platform/files/move-durably.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { createLocalStorage } from '#server/platform/storage/local.ts';
import { createDiskReserve } from '#server/platform/storage/reserve.ts';
import { storageDriverContract } from '#test/contracts/storage-driver.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

function folders() {
  const folder = temporaryFolder();
  const [blobs, staging] = [join(folder, 'blobs'), join(folder, 'tmp')] as const;
  mkdirSync(blobs);
  mkdirSync(staging);
  return { blobs, staging };
}

/** The system's error when the two are on different disks. */
async function failToRename(): Promise<void> {
  throw Object.assign(new Error('cross-device link not permitted'), { code: 'EXDEV' });
}

storageDriverContract('a local folder', async () => {
  const { blobs, staging } = folders();
  return { driver: createLocalStorage(blobs, createFileReader()), staging };
});

storageDriverContract('a local folder on another disk', async () => {
  const { blobs, staging } = folders();
  const move = (from: string, to: string) => moveDurably(from, to, failToRename);
  const place = async () => {
    throw Object.assign(new Error('cross-device link not permitted'), { code: 'EXDEV', syscall: 'rename' });
  };
  return { driver: createLocalStorage(blobs, createFileReader(), move, place), staging };
});

it('leaves nothing behind when a copy to another disk fails', async () => {
  const { blobs, staging } = folders();
  writeFileSync(join(staging, 'file'), 'x'.repeat(1000));
  mkdirSync(join(blobs, 'taken.part')); // a folder in the way makes the copy fail
  await expect(moveDurably(join(staging, 'file'), join(blobs, 'taken'), failToRename)).rejects.toThrow();
  expect(existsSync(join(blobs, 'taken'))).toBe(false);
  expect(existsSync(join(staging, 'file'))).toBe(true);
});

it("removes a crash's unfinished copy along with the blob", async () => {
  const { blobs } = folders();
  const sha256 = 'ab'.repeat(32);
  mkdirSync(join(blobs, 'ab', 'ab'), { recursive: true });
  writeFileSync(join(blobs, 'ab', 'ab', `${sha256}.part`), 'half');
  await createLocalStorage(blobs, createFileReader()).remove(sha256);
  expect(readdirSync(join(blobs, 'ab', 'ab'))).toEqual([]);
});

it('keeps the blob where the system does not replace a file that is being read', async () => {
  const { blobs, staging } = folders();
  const refuse = (code: string) => async () => {
    throw Object.assign(new Error('the file is in use'), { code, syscall: 'rename' });
  };
  const [sha256, staged] = ['ab'.repeat(32), join(staging, 'file')];
  writeFileSync(staged, 'bytes');
  const stuck = createLocalStorage(blobs, createFileReader(), refuse('EPERM'));
  await expect(stuck.store(sha256, { path: staged })).rejects.toThrow('the file is in use');
  await createLocalStorage(blobs, createFileReader()).store(sha256, { path: staged });
  writeFileSync(staged, 'bytes');
  await stuck.store(sha256, { path: staged });
  expect(readFileSync(join(blobs, 'ab', 'ab', sha256), 'utf8')).toBe('bytes');
  expect(readdirSync(staging)).toEqual([]);
  const broken = createLocalStorage(blobs, createFileReader(), refuse('EIO'));
  await expect(broken.store(sha256, { path: staged })).rejects.toThrow();
});

it("doesn't mistake other move failures for a move between disks", async () => {
  const { blobs, staging } = folders();
  await expect(moveDurably(join(staging, 'missing'), join(blobs, 'x'), rename)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('writes, moves and flushes bytes that are stored already like new ones', async () => {
  const { blobs, staging } = folders();
  const [move, place] = [vi.fn(moveDurably), vi.fn(fileThread.place)];
  const driver = createLocalStorage(blobs, createFileReader(), move, place);
  const sha256 = 'ab'.repeat(32);
  const path = join(staging, 'file');
  for (const _time of ['new', 'known']) {
    await driver.store(sha256, { path, bytes: Buffer.from('small') });
    writeFileSync(path, 'large');
    await driver.store(sha256, { path });
  }
  for (const calls of [move.mock.calls, place.mock.calls]) {
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
  }
});

/** A disk with 100 bytes, of which 30 are copies and `others` are not, and a reserve of 20. */
function open(others: number, disk = 'data') {
  let copies = 30;
  const evicted: number[] = [];
  const evict = async (bytes: number) => {
    evicted.push(bytes);
    if (bytes <= copies) copies -= bytes;
  };
  const spaceOf = async () => ({ total: 100, free: 100 - others - (disk === 'data' ? copies : 0) });
  const diskOf = async (folder: string) => (folder === 'pictures' && disk !== 'data' ? 2 : 1);
  const reserve = createDiskReserve({ configured: () => 20, copies: { folder: 'data', evict }, spaceOf, diskOf });
  return { reserve, evicted, storage: { location: 'pictures', space: spaceOf } };
}

const full = { code: 'storage_full' };

describe('the disk reserve', () => {
  it('leaves copies alone while there is room', async () => {
    const { reserve, evicted } = open(40);
    await reserve.require('data', 10);
    expect(evicted).toEqual([]);
    await expect(reserve.require('data', 41)).rejects.toMatchObject(full); // more than without any copies
  });

  it('has copies removed before it refuses an upload', async () => {
    const { reserve, evicted, storage } = open(45);
    await reserve.requireIn(storage, 10);
    expect(evicted).toEqual([5]);
    await expect(reserve.requireIn(storage, 36)).rejects.toMatchObject(full);
  });

  it('keeps copies when another disk is full, and asks nothing of a storage without a disk', async () => {
    const { reserve, evicted, storage } = open(75, 'other');
    await expect(reserve.requireIn(storage, 10)).rejects.toMatchObject(full);
    await reserve.requireIn({ location: 'bucket', space: async () => undefined }, 1000);
    expect(evicted).toEqual([]);
  });

  it('reads ample space once for many uploads, but no longer than they leave it ample, and heeds a new reserve immediately', async () => {
    const gib = 1024 ** 3;
    let reads = 0;
    let configured = gib;
    const spaceOf = async () => {
      reads++;
      return { total: 100 * gib, free: 10 * gib };
    };
    const evict = async () => undefined;
    const reserve = createDiskReserve({ configured: () => configured, copies: { folder: 'data', evict }, spaceOf, diskOf: async () => 1 });
    for (let i = 0; i < 9; i++) await reserve.require('data', gib);
    expect(reads).toBe(1);
    await reserve.require('data', gib);
    expect(reads).toBe(2);
    configured = 10 * gib;
    await expect(reserve.require('data', 1)).rejects.toMatchObject(full);
  });
});
