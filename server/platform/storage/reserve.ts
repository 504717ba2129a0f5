import { stat, statfs } from 'node:fs/promises';
import { RequestError } from '#server/platform/base/errors.ts';

const GIB = 1024 ** 3;
const SHARE = 0.02;
/** With so much to spare, the free space is read once a second; uploads count until then. */
const AMPLE_BYTES = GIB;
const AMPLE_MS = 1_000;

/** The size of a folder's file system, in bytes. */
export interface DiskSpace {
  total: number;
  /** The space that this account may still use. */
  free: number;
}

export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { total: bsize * blocks, free: bsize * bavail };
}

/**
 * The space kept free on a disk, so that the database can still be written and pictures deleted on a full disk.
 * @param configured bytes; null: 1 GiB or 2 % of the disk, whichever is less
 */
export function reserveOf({ total }: DiskSpace, configured: number | null): number {
  return configured ?? Math.min(GIB, Math.floor(total * SHARE));
}

/** Whether a folder's disk has room for that many bytes besides its reserve. @param configured see `reserveOf` */
export async function hasSpace(folder: string, configured: number | null, bytes: number): Promise<boolean> {
  const space = await diskSpaceOf(folder);
  return space.free - bytes >= reserveOf(space, configured);
}

/** Refuses what would use the reserve of a disk. */
export interface DiskReserve {
  /** @param bytes to be written below `folder` until the next check. @throws RequestError `storage_full` */
  require(folder: string, bytes: number): Promise<void>;
  /** The same for the storage that an image goes to, where that fills a disk. @throws RequestError `storage_full` */
  requireIn(storage: Place, bytes: number): Promise<void>;
}

interface Place {
  location: string;
  space(): Promise<DiskSpace | undefined>;
}

/** What can be removed to make room, since it is stored elsewhere as well. */
interface Copies {
  folder: string;
  /** Removes that many bytes, or nothing if fewer can be freed. */
  evict(bytes: number): Promise<void>;
}

interface Parts {
  /** See `reserveOf`. */
  configured(): number | null;
  copies: Copies;
  /** Replaced in tests. */
  spaceOf?(folder: string): Promise<DiskSpace>;
  /** Replaced in tests. */
  diskOf?(folder: string): Promise<number>;
}

export function createDiskReserve({ configured, copies, spaceOf = diskSpaceOf, diskOf = diskNumber }: Parts): DiskReserve {
  const ample = new Map<string, DiskSpace & { until: number }>();

  /** Whether there was much more room than needed a moment ago. */
  function isAmple(location: string, bytes: number): boolean {
    const known = ample.get(location);
    if (!known || known.until < performance.now()) return false;
    known.free -= bytes;
    return known.free - reserveOf(known, configured()) >= AMPLE_BYTES;
  }

  async function requireIn({ location, space }: Place, bytes: number) {
    if (isAmple(location, bytes)) return;
    const missing = async () => {
      const found = await space();
      if (!found) return 0;
      ample.set(location, { ...found, until: performance.now() + AMPLE_MS });
      return reserveOf(found, configured()) + bytes - found.free;
    };
    const short = await missing();
    if (short <= 0) return;
    if ((await diskOf(location)) === (await diskOf(copies.folder))) {
      await copies.evict(short);
      if ((await missing()) <= 0) return;
    }
    throw new RequestError('storage_full', 'The server’s disk is nearly full, so nothing was stored. Free up space and try again.');
  }

  return { require: (folder, bytes) => requireIn({ location: folder, space: () => spaceOf(folder) }, bytes), requireIn };
}

async function diskNumber(folder: string) {
  return (await stat(folder)).dev;
}
