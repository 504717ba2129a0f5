import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { flushFolder } from '#server/platform/files/durable.ts';
import { ifMissing, removeFile } from '#server/platform/files/missing.ts';
import { moveDurably, unfinishedCopy } from '#server/platform/files/move-durably.ts';
import type { StorageDriver } from './driver.ts';
import { type FileReader, missing } from './file-reader.ts';

/**
 * Stores blobs as files in `folder/ab/cd/<sha256>`. Staged files on the same file system are moved, not copied. Folders are flushed whether or
 * not they are new, for equal work.
 */
export function createLocalStorage(folder: string, reader: FileReader, move = moveDurably): StorageDriver {
  const root = join(folder, sep);
  const pathOf = (sha256: string) => `${root}${sha256.slice(0, 2)}${sep}${sha256.slice(2, 4)}${sep}${sha256}`;

  const has = async (sha256: string) => (await ifMissing(stat(pathOf(sha256)), undefined)) !== undefined;

  return {
    async store(sha256, path) {
      const target = pathOf(sha256);
      await mkdir(dirname(target), { recursive: true });
      try {
        await move(path, target);
      } catch (error) {
        // Windows doesn't replace a file that is being read. It has the same bytes.
        if (!isInUse(error) || !(await has(sha256))) throw error;
        await removeFile(path);
      }
      for (let parent = dirname(dirname(target)); parent.length >= folder.length; parent = dirname(parent)) await flushFolder(parent);
    },

    open: (sha256) => reader.open(pathOf(sha256)),

    async withFile(sha256, use) {
      const path = pathOf(sha256);
      await access(path, constants.R_OK).catch((error) => {
        throw missing(error, path);
      });
      return use(path);
    },

    has,

    async remove(sha256) {
      const path = pathOf(sha256);
      reader.forget(path);
      await removeFile(path);
      await removeFile(unfinishedCopy(path)); // a crash may have left it
    },

    async check() {
      await access(folder, constants.R_OK | constants.W_OK);
    },
  };
}

function isInUse(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === 'rename' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
}

/** The folder of a local policy; undefined: `blobs/` of the data folder. */
export function folderOf({ config }: Pick<PolicyRow, 'config'>): string | undefined {
  return (JSON.parse(config) as { folder?: string }).folder;
}
