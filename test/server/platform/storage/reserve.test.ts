import { describe, expect, it } from 'vitest';
import { createDiskReserve } from '#server/platform/storage/reserve.ts';

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
