import { statfs } from 'node:fs/promises';
import { RequestError } from '#server/platform/base/errors.ts';

const GIB = 1024 ** 3;
const SHARE = 0.02;

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

/**
 * Refuses an upload that would use the reserve of a folder's disk.
 * @param bytes announced size of the request; 0 if unknown
 * @throws RequestError `storage_full`
 */
export async function requireSpace(folder: string, configured: number | null, bytes: number): Promise<void> {
  requireIn(await diskSpaceOf(folder), configured, bytes);
}

function requireIn(space: DiskSpace | undefined, configured: number | null, bytes: number) {
  if (!space || space.free - bytes >= reserveOf(space, configured)) return;
  throw new RequestError('storage_full', 'The server’s disk is nearly full, so nothing was stored. Free up space and try again.');
}

/** The same for the storage that an image goes to, where that fills a disk. @throws RequestError `storage_full` */
export async function requireStorageSpace(
  { space }: { space(): Promise<DiskSpace | undefined> },
  configured: number | null,
  bytes: number,
): Promise<void> {
  requireIn(await space(), configured, bytes);
}
