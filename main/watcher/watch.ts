import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { watch as chokidar } from 'chokidar';
import { toRelPath } from './selection.ts';

/** Between polls of a folder that sends no events. */
const POLL_INTERVAL_MS = 2_000;

export interface WatchEvents {
  /** Reports that a file or folder may have changed. */
  onHint(relPath: string): void;
  /** Reports a new subfolder, whose files may have come before anything watched it. */
  onFolder(relPath: string): void;
  /** Reports that watching is incomplete: only a scan finds what changed. */
  onError(error: Error): void;
}

export interface WatchOptions {
  recursive: boolean;
  poll: boolean;
  takesFolder(relPath: string): boolean;
}

export interface Watching {
  /** Resolves when the folder and its subfolders are watched. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Watches a folder. Replaceable in tests. */
export type Watch = (root: string, options: WatchOptions, events: WatchEvents) => Watching;

/**
 * Watches folders with chokidar. It is told to leave files alone: the system's messages about their folder name them, so that ten
 * thousand files cost nothing.
 */
export const watch: Watch = (root, { recursive, poll, takesFolder }, { onHint, onFolder, onError }) => {
  const ready = Promise.withResolvers<void>();
  let closed = false;
  let watcher: ReturnType<typeof chokidar> | undefined;

  /** Messages name real paths. */
  async function start() {
    const real = await realpath(root);
    if (closed) return;
    const relPath = (path: string) => toRelPath(real, path);
    /** The folder above is watched too, in case this one is removed. */
    const report = (listener: (relPath: string) => void, path: string) => {
      const found = relPath(path);
      if (found !== '..' && !found.startsWith('../')) listener(found);
    };
    watcher = chokidar(real, {
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      usePolling: poll,
      interval: POLL_INTERVAL_MS,
      ...(recursive ? {} : { depth: 0 }),
      ignored: (path, stats) => stats?.isFile() === true || (stats?.isDirectory() === true && path !== real && !takesFolder(relPath(path))),
    });
    watcher.on('raw', (_event, path, details) => {
      const folder = (details as { watchedPath?: string } | undefined)?.watchedPath ?? real;
      if (typeof path !== 'string') report(onFolder, folder);
      else if (isAbsolute(path)) report(onFolder, path);
      else report(onHint, join(folder, path));
    });
    watcher.on('addDir', (path) => report(onFolder, path));
    watcher.on('unlinkDir', (path) => report(onHint, path));
    watcher.on('error', (error) => onError(error as Error));
    watcher.on('ready', () => ready.resolve());
  }
  start().catch((error: Error) => {
    onError(error);
    ready.resolve();
  });
  return {
    ready: ready.promise,
    async close() {
      closed = true;
      ready.resolve();
      await watcher?.close();
    },
  };
};
