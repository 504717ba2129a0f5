import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flushFolder } from '#server/platform/files/durable.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { type BlobRef, nameOf, refOf } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { filesBelow } from '#server/platform/storage/local.ts';

/** Moves a complete file into a blob's folder. @throws BlobMissingError when the blob is being removed */
export type Place = (staged: string, target: string) => Promise<void>;

/** Files that are made from blobs, in one folder per blob. */
export interface BlobFolders {
  /** Absolute path of a blob's folder, which may not exist. */
  of(ref: BlobRef): string;
  /**
   * Makes files from a blob. Removing the blob ends the wait at once, and what is made of it afterwards is discarded.
   * @throws BlobMissingError when the blob is removed meanwhile
   */
  make<T>(ref: BlobRef, work: (place: Place) => Promise<T>): Promise<T>;
  /** Removes a blob's files durably. What is being made of it is abandoned. */
  remove(ref: BlobRef): Promise<void>;
  /** The blobs that have files here, each once or more. */
  list(): AsyncGenerator<BlobRef>;
  /** Resolves when nothing is being made, abandoned work included. */
  settled(): Promise<void>;
}

/** Files that are being made from a blob. */
interface Making {
  readonly name: string;
  readonly abandon: () => void;
  isAbandoned: boolean;
  /** The last move into the folder. */
  placing: Promise<unknown>;
}

/** @param root absolute path; it need not exist */
export function blobFolders(root: string): BlobFolders {
  const making = new Set<Making>();
  const working = new Set<Promise<unknown>>();
  /** The blobs whose files are being removed, as often as they are. */
  const removing: string[] = [];
  const folderOf = (ref: BlobRef) => join(root, ref.sha256.slice(0, 2), ref.sha256.slice(2, 4), nameOf(ref));
  const removed = (name: string) => new BlobMissingError(`${name} is being removed`);

  async function moveInto(staged: string, target: string) {
    await mkdir(dirname(target), { recursive: true });
    await rename(staged, target);
  }

  return {
    of: folderOf,
    async make(ref, work) {
      const name = nameOf(ref);
      if (removing.includes(name)) throw removed(name);
      const { promise: abandoned, reject } = Promise.withResolvers<never>();
      const own: Making = { name, isAbandoned: false, abandon: () => reject(removed(name)), placing: Promise.resolve() };
      const run = work(async (staged, target) => {
        if (own.isAbandoned) throw removed(name);
        own.placing = moveInto(staged, target);
        await own.placing;
      });
      making.add(own);
      working.add(run);
      run.then(
        () => working.delete(run),
        () => working.delete(run),
      );
      try {
        return await Promise.race([run, abandoned]);
      } finally {
        making.delete(own);
      }
    },
    async remove(ref) {
      const name = nameOf(ref);
      removing.push(name);
      try {
        const own = [...making].filter((one) => one.name === name);
        for (const one of own) {
          one.isAbandoned = true;
          one.abandon();
        }
        await Promise.allSettled(own.map(({ placing }) => placing));
        const folder = folderOf(ref);
        await rm(folder, { recursive: true, force: true });
        // Otherwise they could reappear after a power cut, when nothing names the blob any more.
        await ifMissing(flushFolder(dirname(folder)), undefined);
      } finally {
        removing.splice(removing.indexOf(name), 1);
      }
    },
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
    async settled() {
      await Promise.allSettled(working);
    },
  };
}
