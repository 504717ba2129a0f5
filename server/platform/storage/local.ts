import { constants } from 'node:fs';
import { access, mkdir, opendir, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { flushFolder, flushFolders } from '#server/platform/files/durable.ts';
import { fileThread } from '#server/platform/files/file-thread.ts';
import { ifMissing, removeFile } from '#server/platform/files/missing.ts';
import { moveDurably, unfinishedCopy } from '#server/platform/files/move-durably.ts';
import { type FileContent, onDisk } from '#server/platform/files/staged-file.ts';
import type { StorageDriver } from './driver.ts';
import { type FileReader, missing } from './file-reader.ts';
import { diskSpaceOf } from './reserve.ts';

/**
 * Stores blobs as files in `folder/ab/cd/<sha256>`. Staged files on the same file system are moved, not copied. Folders are flushed whether or
 * not they are new, so that the work is the same.
 */
export function createLocalStorage(folder: string, reader: FileReader, move = moveDurably, place = fileThread.place): StorageDriver {
  const root = join(folder, sep);
  const pathOf = (sha256: string) => `${root}${sha256.slice(0, 2)}${sep}${sha256.slice(2, 4)}${sep}${sha256}`;

  const has = async (sha256: string) => (await ifMissing(stat(pathOf(sha256)), undefined)) !== undefined;
  let isOnOtherDisk = false;

  /** Whether a file in memory is in its place; on Windows and on disks other than that of `tmp/`, that may take more than a rename. */
  async function isPlaced({ path, bytes }: FileContent, target: string): Promise<boolean> {
    if (!bytes || isOnOtherDisk) return false;
    try {
      await place({ path, bytes, target, root: folder });
      return true;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall !== 'rename') throw error;
      isOnOtherDisk = code === 'EXDEV';
      return false;
    }
  }

  return {
    location: folder,
    isRemote: false,

    async store(sha256, file) {
      const target = pathOf(sha256);
      if (await isPlaced(file, target)) return;
      const path = await onDisk(file);
      await mkdir(dirname(target), { recursive: true });
      try {
        await move(path, target);
      } catch (error) {
        // Windows doesn't replace a file that is being read. It has the same bytes.
        if (!isInUse(error) || !(await has(sha256))) throw error;
        await removeFile(path);
      }
      await flushFolders(dirname(dirname(target)), folder);
    },

    open: (sha256) => reader.open(pathOf(sha256)),
    peek: (sha256) => reader.peek(pathOf(sha256)),

    async withFile(sha256, use) {
      const path = pathOf(sha256);
      await access(path, constants.R_OK).catch((error) => {
        throw missing(error, path);
      });
      return use(path).catch((error: NodeJS.ErrnoException) => {
        throw error.path === path ? missing(error, path) : error; // removed since
      });
    },

    has,

    async remove(sha256) {
      const path = pathOf(sha256);
      await removeFile(path);
      reader.forget(path);
      await removeFile(unfinishedCopy(path)); // a crash may have left it
      // Otherwise the file could reappear after a power cut, without a row.
      await ifMissing(flushFolder(dirname(path)), undefined);
    },

    async check() {
      await access(folder, constants.R_OK | constants.W_OK);
    },

    space: () => diskSpaceOf(folder),
    publicUrl: () => undefined,
    nameOf: pathOf,

    async *list() {
      for await (const path of filesBelow(folder)) {
        const name = basename(path);
        yield {
          name: path,
          sha256: /^[0-9a-f]{64}$/.test(name) && path === pathOf(name) ? name : undefined,
        };
      }
    },

    setAside: (name, path) => moveDurably(name, path),
    release: async () => undefined,
    retire: () => undefined,
    close: async () => undefined,
  };
}

/** All files below a folder, one folder at a time. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function isInUse(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === 'rename' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
}
