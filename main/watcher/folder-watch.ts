import { join } from 'node:path';
import type { Clock } from '#main/base/clock.ts';
import { failureOf, Reason } from '#main/base/reasons.ts';
import type { Folder } from '#main/journal/folders.ts';
import type { Item } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import { isOfTheFile } from '#main/journal/seen.ts';
import { readContent, stateOf } from './files/content.ts';
import { type AlbumChoice, createDedupe } from './files/dedupe.ts';
import { createRemovedFiles } from './files/removed-files.ts';
import { createWriteStability, type Limit } from './files/write-stability.ts';
import { troubleOf } from './folder-health.ts';
import { type Effect, type Event, INITIAL, statusOf, type Timer, transition, type WatchState } from './folder-state.ts';
import { FolderUnavailable, noteSkipped, scan } from './scan.ts';
import { type Selection, selectionOf } from './selection.ts';
import type { Watch, Watching } from './watch.ts';

/** Files that may be settling before a scan waits, and before hints are dropped in favour of a scan. */
const MAX_SETTLING_IN_SCAN = 1_000;
const MAX_SETTLING = 5_000;
/** Until a file is looked at again whose earlier version is being sent. */
const RETRY_DELAY_MS = 5_000;

interface Options {
  journal: Journal;
  clock: Clock;
  watch: Watch;
  limit: Limit;
  /** Absolute paths of folders that are never entered. */
  own: readonly string[];
  /** Whether the account may upload videos; what was known where that can't be found out. */
  takesVideos(known: boolean): Promise<boolean>;
  albumOf(folder: Folder, relPath: string): Promise<AlbumChoice | undefined>;
  /** Has albums looked up again. */
  forgetAlbums(): void;
  /** Wakes the queue. */
  wake(): void;
  /** Called with new drafts. */
  onDrafts: Parameters<typeof createDedupe>[0]['onDrafts'];
  /** Stops and continues the folder's uploads in the queue. */
  hold(folderId: string, held: boolean): void;
  /** Called when the folder can be reached again. */
  onAvailable(): void;
  onChange(): void;
}

/** Whether a folder's videos are taken. */
export const videosFact = (id: string) => `videos:${id}`;

/** One watch folder at work. */
export interface FolderWatch {
  state(): WatchState;
  isAvailable(): boolean;
  /** Number of files that are found, but not in the queue yet. */
  settling(): number;
  /** When all of it was last scanned, in milliseconds since 1970. */
  scannedAt(): number | undefined;
  rescan(): void;
  /** Looks again at the file of an upload that has ended, and at its copies, where it may have become readable. */
  ended(item: Item): void;
  /** Starts over with the path, options and pause in the journal. Files that were wanted before stay wanted. */
  restart(): void;
  close(): Promise<void>;
}

/** Runs the state machine of `folder-state.ts` for one folder. */
export function createFolderWatch(id: string, options: Options): FolderWatch {
  const { journal, clock } = options;
  const { folders, seen } = journal;
  let state = INITIAL;
  let folder = folders.get(id) as Folder;
  let videos = journal.fact(videosFact(id)) === 'yes';
  const select = () => selectionOf(folder.path, folder.options, { own: options.own, videos });
  let selection = select();
  /** The selection before the last change of options, until all of the folder was scanned with the new one. */
  let previous: Selection | undefined;
  /** Aborted when the folder stops, with everything that was begun until then. */
  let controller = new AbortController();
  let watching: Watching | undefined;
  let scanning: Promise<Event | undefined> = Promise.resolve(undefined);
  let continueScan = (): void => undefined;
  const timers = new Map<Timer, () => void>();

  const pathOf = (relPath: string) => join(folder.path, ...relPath.split('/'));
  const look = (relPath: string) => stateOf(pathOf(relPath), folder.path);
  const settling = () => writeStability.size() + dedupe.size();
  const writeStability = createWriteStability({
    clock,
    limit: options.limit,
    state: look,
    content: (relPath) => readContent(pathOf(relPath)),
    onStable(file) {
      dedupe.add(file);
      change();
    },
    onGone(relPath) {
      inBackground(removedFiles.note(relPath));
      change();
    },
    onUnreadable: (...found) => inBackground(noteUnreadable(...found)),
  });
  const { touch } = writeStability;
  const dedupe = createDedupe({
    journal,
    clock,
    folder: () => folder,
    albumOf: (relPath) => options.albumOf(folder, relPath),
    exists: async (relPath) => (await look(relPath)) !== 'gone',
    wake: options.wake,
    onDrafts: options.onDrafts,
    again: (relPath) =>
      clock.after(
        RETRY_DELAY_MS,
        untilStop(() => touch(relPath)),
      ),
    onChange(failed) {
      const delay = failed === undefined ? undefined : failureOf(failed);
      if (delay && delay.message !== state.delay?.message) console.warn(`Couldn't queue some files of ${folder.path} yet:`, failed);
      dispatch({ type: 'delayed', delay });
    },
  });
  const removedFiles = createRemovedFiles({ journal, folder: () => folder, pathOf, touch });

  function dispatch(event: Event) {
    const next = transition(state, event);
    state = next.state;
    for (const effect of next.effects) {
      const done = perform(effect);
      inBackground(done.then(untilStop((result) => result && dispatch(result))));
    }
    change();
  }

  function change() {
    if (settling() < MAX_SETTLING_IN_SCAN) continueScan();
    options.onChange();
  }

  function inBackground(work: Promise<unknown>) {
    work.catch((error: unknown) => dispatch(failed(error, false)));
  }

  /** The action, until the folder stops. */
  function untilStop<T extends unknown[]>(action: (...values: T) => void): (...values: T) => void {
    const { signal } = controller;
    return (...values) => {
      if (!signal.aborted) action(...values);
    };
  }

  /** Runs without a pause up to the first wait, so that effects take place in order. */
  async function perform(effect: Effect): Promise<Event | undefined> {
    const { signal } = controller;
    switch (effect.type) {
      case 'stop':
        stop();
        return;
      case 'check': {
        const trouble = await troubleOf(folder);
        return trouble ? { type: 'trouble', trouble } : { type: 'healthy' };
      }
      case 'hold':
        options.hold(id, true);
        return;
      case 'release':
        options.hold(id, false);
        options.onAvailable();
        return;
      case 'watch':
        await watching?.close();
        if (signal.aborted) return;
        await startWatching();
        return { type: 'ready' };
      case 'scan':
        // A scan that was stopped may still be waiting for the disk.
        scanning = scanning.then(() => runScan(effect.start, signal));
        return scanning;
      case 'touch':
        touch(effect.relPath);
        return;
      case 'noteOthers':
        await noteOthers(effect.relPaths, signal);
        return;
      case 'later':
        timers.get(effect.event)?.();
        timers.set(
          effect.event,
          clock.after(effect.ms, () => dispatch({ type: effect.event })),
        );
    }
  }

  function stop() {
    controller.abort();
    controller = new AbortController();
    for (const cancel of timers.values()) cancel();
    timers.clear();
    writeStability.clear();
    dedupe.clear();
    continueScan();
    watching?.close().catch((error: unknown) => console.error(`Couldn't stop watching ${folder.path}:`, error));
    watching = undefined;
  }

  function startWatching(): Promise<void> {
    const { recursive, poll } = folder.options;
    watching = options.watch(
      folder.path,
      { recursive, poll, takesFolder: (relPath) => !relPath.split('/').some(selection.isHidden) && selection.takesFolder(relPath) },
      {
        onHint: untilStop(hint),
        onFolder: untilStop((start) => dispatch({ type: 'scan', start })),
        onError: untilStop((error: NodeJS.ErrnoException) => {
          console.warn(`Couldn't watch all of ${folder.path}:`, error);
          // Scans name what can't be read, and try it again; the rest is watched.
          if (error.code === 'EACCES' || error.code === 'EPERM') return dispatch({ type: 'rescan' });
          const text = error.code === 'ENOSPC' || error.code === 'EMFILE' ? 'tooManyFolders' : 'watchingFailed';
          dispatch({ type: 'incomplete', notice: failureOf(new Reason(text, { cause: error })) });
        }),
      },
    );
    return watching.ready;
  }

  function hint(relPath: string) {
    if (relPath === '') dispatch({ type: 'look' });
    else {
      const match = selection.takes(relPath) ? 'taken' : selection.isOutside(relPath) ? 'outside' : 'other';
      dispatch({ type: 'hint', relPath, match, isFull: writeStability.size() >= MAX_SETTLING });
    }
  }

  async function runScan(start: string, signal: AbortSignal): Promise<Event | undefined> {
    if (signal.aborted) return;
    if (start === '') await updateVideos(signal);
    if (signal.aborted) return;
    const isExempt = (relPath: string) => previous?.takes(relPath) ?? false;
    try {
      await scan({ journal, folder, selection, start, signal, isExempt, take });
      if (start === '') {
        const trouble = await troubleOf(folder);
        if (trouble) return { type: 'trouble', trouble };
        if (!signal.aborted) await scannedAll(signal);
      }
      return { type: 'scanned', at: clock.now(), hasUnreadable: seen.unreadable(id).count > 0 };
    } catch (error) {
      if (!(error instanceof FolderUnavailable)) return failed(error, true);
      const unreadable = { state: 'problem', reason: failureOf(new Reason('folderUnreadable', { cause: error })) } as const;
      return { type: 'trouble', trouble: (await troubleOf(folder)) ?? unreadable };
    }
  }

  /** Takes videos from when the account may upload them; earlier ones only if what is there is wanted as well. */
  async function updateVideos(signal: AbortSignal) {
    const found = await options.takesVideos(videos);
    if (signal.aborted || found === videos) return;
    videos = found;
    const isLater = folder.since === null && !folder.options.existing;
    if (isLater) previous ??= selection;
    journal.commit(() => {
      journal.setFact(videosFact(id), videos ? 'yes' : 'no');
      seen.forgetSkipped(id);
      if (isLater) folders.change(id, { since: clock.now() });
    });
    folder = folders.get(id) as Folder;
    selection = select();
  }

  /** Resolves when there is room for another file. */
  async function take(relPath: string) {
    touch(relPath);
    if (settling() < MAX_SETTLING_IN_SCAN) return;
    await new Promise<void>((resolve) => {
      continueScan = resolve;
    });
  }

  async function scannedAll(signal: AbortSignal) {
    if (folder.since !== null) {
      folders.change(id, { since: null });
      folder = { ...folder, since: null };
    }
    previous = undefined;
    await removedFiles.find(signal);
    if (!signal.aborted) seen.reviveCopies(id).forEach(touch);
  }

  function failed(error: unknown, inScan: boolean): Event {
    console.error(`Couldn't process the watch folder ${folder.path}:`, error);
    return { type: 'failed', failure: failureOf(error), inScan };
  }

  /** Records why files aren't taken, once they are more than a passing name. */
  async function noteOthers(relPaths: readonly string[], signal: AbortSignal) {
    for (const relPath of relPaths) {
      const found = await look(relPath).catch(() => 'gone' as const);
      if (signal.aborted) return;
      if (typeof found === 'object') noteSkipped(seen, folder, relPath, selection);
    }
    change();
  }

  async function noteUnreadable(relPath: string, found: { size: number; modified: number } | undefined, error: Error) {
    const known = seen.get(id, relPath);
    if (!(known?.outcome === 'rejected' && known.failure?.code === 'fileUnreadable')) {
      const failure = failureOf(new Reason('fileUnreadable', { cause: error }));
      seen.note(id, { relPath, size: found?.size ?? 0, modified: found?.modified ?? 0 }, { outcome: 'rejected', failure });
    }
    change();
  }

  const isAvailable = () => state.phase === 'starting' || state.phase === 'watching';
  const start = () => dispatch(folder.paused ? { type: 'stop' } : { type: 'start', polled: folder.options.poll });
  start();
  return {
    state: () => statusOf(state),
    isAvailable,
    settling,
    scannedAt: () => state.scannedAt,
    rescan: () => dispatch({ type: 'rescan' }),
    ended(item) {
      const { relPath } = item.folder ?? { relPath: '' };
      if (item.failure?.code === 'album_not_found' && folder.options.album.kind === 'perFolder') {
        options.forgetAlbums();
        journal.items.changed(item.id);
      }
      if (item.state !== 'done' && isAvailable()) {
        const known = seen.get(id, relPath);
        const again = known === undefined || (known.outcome === 'rejected' && isOfTheFile(known.failure));
        if (again) [relPath, ...seen.reviveCopies(id)].forEach(touch);
      }
      options.onChange();
    },
    restart() {
      previous ??= selection;
      folder = folders.get(id) as Folder;
      selection = select();
      start();
    },
    async close() {
      dispatch({ type: 'stop' });
      await scanning;
    },
  };
}
