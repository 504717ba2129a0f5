import { EventEmitter } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { getLimits } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import type { FolderOptions, FolderPreview } from '#api/desktop/folders.ts';
import type { Clock } from '#main/base/clock.ts';
import { isInside } from '#main/base/files/inside.ts';
import { Reason } from '#main/base/reasons.ts';
import type { FileEvent } from '#main/journal/events.ts';
import type { Folder } from '#main/journal/folders.ts';
import type { Item } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { Outcome, Unreadable } from '#main/journal/seen.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import { createAlbums } from './albums.ts';
import { createPostUpload } from './files/post-upload.ts';
import { createFolderWatch, type FolderWatch, videosFact } from './folder-watch.ts';
import { preview, type Room } from './preview.ts';
import { isDealtWith } from './scan.ts';
import { selectionOf } from './selection.ts';
import { identify } from './volume.ts';
import type { Watch } from './watch.ts';

/** Files read at a time, over all folders. */
const READS = 2;
/** How long a preview waits for the account's limits. */
const LIMITS_TIMEOUT_MS = 3_000;

/** What the watch folders need of the queue. */
export interface FolderQueue {
  /** Wakes the queue. */
  wake(): void;
  change(action: 'pause' | 'resume' | 'discard', ids: readonly string[] | (() => readonly string[])): void;
  onEnded(listener: (ended: { item: Item }) => void): void;
}

interface Options {
  journal: Journal;
  queue: FolderQueue;
  account: Account;
  takesVideos: Parameters<typeof createFolderWatch>[1]['takesVideos'];
  clock: Clock;
  watch: Watch;
  /** Called with new drafts, to be edited or asked about. */
  onDrafts: Parameters<typeof createFolderWatch>[1]['onDrafts'];
  /** Moves a file to the system's trash. */
  trash(path: string): Promise<void>;
  /** Free bytes for pictures on this computer's disk; undefined where they are stored elsewhere. */
  freeSpace(): Promise<number | undefined>;
  /** Absolute paths of Pixdock's own folders. */
  own: readonly string[];
}

/** A watch folder with its live state. */
export interface ListedFolder {
  folder: Folder;
  watch: FolderWatch;
  counts: Partial<Record<Outcome, number>>;
  /** What can't be read, with the paths of some. */
  unreadable: Unreadable;
}

/** The watch folders. Functions that take an id throw Reason `folderUnknown` where there is none. */
export interface WatchFolders {
  list(): ListedFolder[];
  /** @throws Reason if the folder can't be watched */
  preview(path: string, options: FolderOptions, id?: string): Promise<FolderPreview>;
  /** Returns its id. @throws Reason if the folder can't be watched */
  add(path: string, options: FolderOptions): Promise<string>;
  /** @throws Reason */
  change(id: string, options: FolderOptions): Promise<void>;
  pause(paused: boolean, id?: string): void;
  remove(id: string): Promise<void>;
  /** Watches another path as the same folder, with all that is known about its files. @throws Reason */
  repoint(id: string, path: string): Promise<void>;
  rescan(id: string): void;
  events(id: string, query: { search: string; before: number | undefined; limit: number }): FileEvent[];
  /** Whether a folder is watched, alone or with a folder above it. */
  covers(path: string): boolean;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

export function createWatchFolders(options: Options): WatchFolders {
  const { journal, queue, account, takesVideos, clock, watch, onDrafts, trash, freeSpace, own } = options;
  const { folders, seen, items } = journal;
  const events = new EventEmitter<{ change: [] }>();
  const watches = new Map<string, FolderWatch>();
  const counts = new Map<string, Pick<ListedFolder, 'counts' | 'unreadable'>>();
  const limit = pLimit(READS);
  const albums = createAlbums(account);
  const postUpload = createPostUpload({ journal, trash, isAvailable: (id) => watches.get(id)?.isAvailable() ?? false });

  function changed(id: string) {
    counts.delete(id);
    events.emit('change');
  }

  function start(id: string) {
    watches.set(
      id,
      createFolderWatch(id, {
        journal,
        clock,
        watch,
        limit,
        own,
        takesVideos,
        albumOf: albums.of,
        forgetAlbums: albums.forget,
        wake: queue.wake,
        onDrafts,
        hold,
        onAvailable: () => void postUpload.run(),
        onChange: () => changed(id),
      }),
    );
  }

  const heldFact = (id: string) => `held:${id}`;

  /** Pauses or resumes the uploads of a folder. What was held survives a restart. */
  function hold(id: string, held: boolean) {
    const fact = heldFact(id);
    const wasHeld = journal.fact(fact) === 'yes';
    if (held !== wasHeld) journal.setFact(fact, held ? 'yes' : 'no');
    const waiting = () => items.idsOfFolder(id, ['queued', 'sending']);
    if (held && (!wasHeld || waiting().length > 0)) queue.change('pause', waiting);
    if (!held && wasHeld) queue.change('resume', () => items.idsOfFolder(id, ['paused']));
  }

  queue.onEnded(({ item }) => {
    if (!item.folder) return;
    watches.get(item.folder.id)?.ended(item);
    if (item.postUpload === 'pending') void postUpload.run();
  });
  for (const { id } of folders.list()) start(id);

  function known(id: string): { folder: Folder; watch: FolderWatch } {
    const folder = folders.get(id);
    const watch = watches.get(id);
    if (!folder || !watch) throw new Reason('folderUnknown');
    return { folder, watch };
  }

  /** @throws Reason if a folder can't be watched */
  async function check(path: string, { recursive, include, ignore }: FolderOptions, id?: string) {
    if (!isAbsolute(path)) throw new Reason('folderMissing');
    const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
      throw new Reason(cause.code === 'ENOENT' ? 'folderMissing' : 'folderUnreadable', { cause });
    });
    if (!found.isDirectory()) throw new Reason('folderIsFile');
    const real = await realpath(path);
    if (own.some((folder) => isInside(real, folder))) throw new Reason('folderIsOwn');
    for (const other of folders.list()) {
      if (other.id === id) continue;
      const otherReal = await realpath(other.path).catch(() => resolve(other.path));
      const overlaps =
        real === otherReal || (other.options.recursive && isInside(real, otherReal)) || (recursive && isInside(otherReal, real));
      if (overlaps) throw new Reason('folderOverlaps');
    }
    if ([...include, ...ignore].some((pattern) => /^(\.?\/)*$/.test(pattern))) throw new Reason('patternEmpty');
  }

  async function room(): Promise<Room | undefined> {
    if (account.state() !== 'ready') return undefined;
    try {
      const { storage_quota_bytes, storage_used_bytes, max_file_bytes, max_video_bytes } = await asAccount(account, ({ url, headers }) =>
        createClient({ baseUrl: url }).call(getLimits, { headers, signal: AbortSignal.timeout(LIMITS_TIMEOUT_MS) }),
      );
      const left = storage_quota_bytes === 0 ? null : Math.max(0, storage_quota_bytes - storage_used_bytes);
      return { left, maxFile: max_file_bytes || null, maxVideo: max_video_bytes || null, free: await freeSpace() };
    } catch (error) {
      console.warn("Couldn't read the account's limits:", error);
      return undefined;
    }
  }

  return {
    list: () =>
      folders.list().flatMap((folder) => {
        const watch = watches.get(folder.id);
        if (!watch) return [];
        const known = counts.get(folder.id) ?? { counts: seen.counts(folder.id), unreadable: seen.unreadable(folder.id) };
        counts.set(folder.id, known);
        return [{ folder, watch, ...known }];
      }),
    async preview(path, options, id) {
      await check(path, options, id);
      return preview({
        path,
        selection: selectionOf(path, options, { own, videos: await takesVideos(false) }),
        room: room(),
        now: () => clock.now(),
        isKnown(relPath, size, modified) {
          const known = id === undefined ? undefined : seen.get(id, relPath);
          return known !== undefined && known.outcome !== 'existing' && isDealtWith(known, { relPath, size, modified });
        },
      });
    },
    async add(path, options) {
      await check(path, options);
      const id = folders.add({ path: resolve(path), volume: await identify(path), options, since: options.existing ? null : clock.now() });
      start(id);
      changed(id);
      return id;
    },
    async change(id, options) {
      const { folder, watch } = known(id);
      await check(folder.path, options, id).catch((error: unknown) => {
        // A drive that isn't connected now may still get other options.
        if (!(error instanceof Reason) || error.text !== 'folderMissing') throw error;
      });
      if (isDeepStrictEqual(options, folder.options)) return;
      journal.commit(() => {
        seen.forgetSkipped(id);
        if (options.existing && !folder.options.existing) seen.forgetExisting(id);
        folders.change(id, { options, since: options.existing ? null : clock.now() });
      });
      watch.restart();
      changed(id);
    },
    pause(paused, id) {
      for (const { id: each, paused: was } of id === undefined ? folders.list() : [known(id).folder]) {
        if (was === paused) continue;
        folders.change(each, { paused });
        if (paused) hold(each, true);
        watches.get(each)?.restart();
        changed(each);
      }
    },
    async remove(id) {
      const { watch } = known(id);
      watches.delete(id);
      await watch.close();
      queue.change('discard', items.idsOfFolder(id, ['queued', 'sending', 'paused']));
      folders.remove(id);
      journal.forgetFact(heldFact(id));
      journal.forgetFact(videosFact(id));
      changed(id);
    },
    async repoint(id, path) {
      const { folder, watch } = known(id);
      await check(path, folder.options, id);
      const volume = await identify(path);
      // Copies have other times: what was there before still isn't wanted.
      folders.change(id, { path: resolve(path), volume, ...(!folder.options.existing && { since: clock.now() }) });
      watch.restart();
      changed(id);
    },
    rescan: (id) => known(id).watch.rescan(),
    events: (id, query) => journal.events.list(known(id).folder.id, query),
    covers: (path) => folders.list().some((folder) => path === folder.path || (folder.options.recursive && isInside(path, folder.path))),
    onChange: (listener) => void events.on('change', listener),
    async close() {
      await Promise.all([...watches.values()].map((each) => each.close()));
    },
  };
}
