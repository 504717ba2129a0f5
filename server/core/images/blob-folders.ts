import { rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ifMissing } from '#server/platform/files/missing.ts';
import { type BlobRef, nameOf, refOf } from '#server/platform/storage/blob-rows.ts';
import { filesBelow } from '#server/platform/storage/local.ts';

/** Files that are made from blobs, in one folder per blob. */
export interface BlobFolders {
  /** Absolute path of a blob's folder, which may not exist. */
  of(ref: BlobRef): string;
  remove(ref: BlobRef): Promise<void>;
  /** The blobs that have files here, each once or more. */
  list(): AsyncGenerator<BlobRef>;
}

/** @param root absolute path; it need not exist */
export function blobFolders(root: string): BlobFolders {
  const folderOf = (ref: BlobRef) => join(root, ref.sha256.slice(0, 2), ref.sha256.slice(2, 4), nameOf(ref));
  return {
    of: folderOf,
    remove: (ref) => rm(folderOf(ref), { recursive: true, force: true }),
    async *list() {
      if (!(await ifMissing(stat(root), undefined))) return;
      let last = '';
      for await (const path of filesBelow(root)) {
        const name = basename(dirname(path));
        const ref = name === last ? undefined : refOf(name);
        last = name;
        if (ref) yield ref;
      }
    },
  };
}
