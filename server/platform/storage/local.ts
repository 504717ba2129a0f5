import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { flushFolder } from '#server/platform/files/durable.ts';
import { ifMissing, removeFile } from '#server/platform/files/missing.ts';
import { moveDurably, unfinishedCopy } from '#server/platform/files/move-durably.ts';
import type { StorageDriver } from './driver.ts';
import { type FileReader, missing } from './file-reader.ts';

/** Stores blobs as files in `folder/ab/cd/<sha256>`. Staged files on the same file system are moved, not copied. */
export function createLocalStorage(folder: string, reader: FileReader, move = moveDurably): StorageDriver {
  const root = join(folder, sep);
  const pathOf = (sha256: string) => `${root}${sha256.slice(0, 2)}${sep}${sha256.slice(2, 4)}${sep}${sha256}`;

  return {
    async store(sha256, path) {
      const target = pathOf(sha256);
      await makeFolders(folder, dirname(target));
      await move(path, target);
    },

    open: (sha256) => reader.open(pathOf(sha256)),

    async withFile(sha256, use) {
      const path = pathOf(sha256);
      await access(path, constants.R_OK).catch((error) => {
        throw missing(error, path);
      });
      return use(path);
    },

    async has(sha256) {
      return (await ifMissing(stat(pathOf(sha256)), undefined)) !== undefined;
    },

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

/** Creates the two levels of folders of a blob; flushes their entries only if they are new. */
async function makeFolders(root: string, folder: string) {
  const created = await mkdir(folder, { recursive: true });
  if (created === undefined) return;
  for (let path = dirname(folder); path.length >= root.length; path = dirname(path)) await flushFolder(path);
}

/** The folder of a local policy; undefined: `blobs/` of the data folder. */
export function folderOf({ config }: Pick<PolicyRow, 'config'>): string | undefined {
  return (JSON.parse(config) as { folder?: string }).folder;
}
