import { rm, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { ifMissing } from '#server/platform/files/missing.ts';
import { filesBelow } from '#server/platform/storage/local.ts';

/** Files in a folder that can be made again. Together they take at most so many bytes: the least recently used leave first. */
export interface LimitedFiles {
  /** Marks a file as used. */
  use(path: string): void;
  /** Makes room for a file that `place` moves to its path. */
  add(path: string, size: number, place: () => Promise<void>): Promise<void>;
  /** Call it when a file is removed. */
  forget(path: string): void;
}

/** @param onLeave called with the path of each file that leaves */
export function limitedFiles(folder: string, maxBytes: number, log: Pick<Logger, 'warn'>, onLeave: (path: string) => void): LimitedFiles {
  /** Files that are being removed to make room. */
  const leaving = new Set<Promise<void>>();
  const files = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(1, size),
    dispose(_size, path, reason) {
      if (reason !== 'evict') return;
      onLeave(path);
      const gone = rm(path, { force: true })
        .catch((err: unknown) => log.warn({ err }, 'couldn’t remove a picture in a format of the web'))
        .finally(() => leaving.delete(gone));
      leaving.add(gone);
    },
  });
  /** The files of an earlier run count, too, the oldest first. */
  let known: Promise<void> | undefined;

  async function readFolder() {
    if (!(await ifMissing(stat(folder), undefined))) return;
    const found: { path: string; size: number; mtimeMs: number }[] = [];
    for await (const path of filesBelow(folder)) {
      const state = await ifMissing(stat(path), undefined);
      if (state) found.push({ path, size: state.size, mtimeMs: state.mtimeMs });
    }
    for (const { path, size } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) if (!files.has(path)) files.set(path, size);
  }

  return {
    use: (path) => void files.get(path),
    async add(path, size, place) {
      known ??= readFolder();
      await known;
      // Room first, so that the files never take more than they may.
      files.set(path, size);
      await Promise.all(leaving);
      await place().catch((error: unknown) => {
        files.delete(path);
        throw error;
      });
    },
    forget: (path) => void files.delete(path),
  };
}
