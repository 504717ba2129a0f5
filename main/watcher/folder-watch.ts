import { join } from 'node:path';
import type { Clock } from '#main/base/clock.ts';
import { type Failure, failureOf, Reason } from '#main/base/reasons.ts';
import { type Folder, isOfTheFile } from '#main/journal/folders.ts';
import type { Item } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import { readContent, stateOf } from './content.ts';
import { type AlbumChoice, createIntake } from './intake.ts';
import type { Limit } from './limit.ts';
import { createMissing } from './missing.ts';
import { type Trouble, troubleOf } from './root.ts';
import { noteSkipped, RootUnavailable, scan } from './scan.ts';
import { type Selection, selectionOf } from './selection.ts';
import { createSettler } from './settle.ts';
import type { Watch, Watching } from './watch.ts';

/** Milliseconds between scans of all of a folder; and where watching is incomplete. */
const SCAN_EVERY = 600_000;
const SCAN_OFTEN = 60_000;
/** Milliseconds between checks that the folder is there, while it is and while it isn't. */
const LOOK_EVERY = 30_000;
const LOOK_OFTEN = 5_000;
/** Milliseconds that a scan waits for the watcher, which may have to open thousands of subfolders. */
const READY_LIMIT = 30_000;
/** Files that may be settling before a scan waits, and before messages are dropped in favour of a scan. */
const ROOM = 1_000;
const MAX_SETTLING = 5_000;
/** Number of simultaneous messages after which a scan ensures that none was lost, and milliseconds until it does. */
const BURST = 500;
const BURST_PAUSE = 5_000;
/** Milliseconds until files that don't match are recorded. */
const OTHERS_PAUSE = 2_000;

/** What a folder is doing; `notice` and `reason` as the journal keeps them. */
export type WatchState = { state: 'watching' | 'scanning'; notice: Failure | undefined } | Trouble | { state: 'paused' };

interface Options {
  journal: Journal;
  clock: Clock;
  watch: Watch;
  limit: Limit;
  /** Absolute paths of folders that are never entered. */
  own: readonly string[];
  albumOf(folder: Folder, relPath: string): Promise<AlbumChoice | undefined>;
  /** An album that was found has been deleted. */
  forgetAlbums(): void;
  wake(): void;
  /** Stops and continues the folder's uploads in the queue. */
  hold(folderId: string, held: boolean): void;
  /** The folder can be reached again. */
  onAvailable(): void;
  onChange(): void;
}

/** One watch folder at work. */
export interface FolderWatch {
  state(): WatchState;
  isAvailable(): boolean;
  /** Number of files that are found, but not in the queue yet. */
  settling(): number;
  /** When all of it was last scanned, in milliseconds since 1970. */
  scannedAt(): number | undefined;
  rescan(): void;
  /** One of its uploads has ended. */
  ended(item: Item): void;
  /** Starts over with what the journal says: its path, options, or pause have changed. Files that were wanted before stay wanted. */
  restart(): void;
  close(): Promise<void>;
}

export function createFolderWatch(id: string, options: Options): FolderWatch {
  const { journal, clock } = options;
  const { folders } = journal;
  let folder = folders.get(id) as Folder;
  let selection = selectionOf(folder.path, folder.options, options.own);
  /** The selection before the last change of options, until all of the folder was scanned with the new one. */
  let previous: Selection | undefined;
  let state: WatchState = { state: 'scanning', notice: undefined };
  let available = false;
  let watching: Watching | undefined;
  let notice: Failure | undefined;
  let intakeFailure: Failure | undefined;
  let scannedAt: number | undefined;
  let hints = 0;
  let controller = new AbortController();
  let scanning: Promise<void> | undefined;
  /** What to scan; `''`: everything. */
  const wanted = new Set<string>();
  /** Files that appeared and don't match. */
  const others = new Set<string>();
  const timers = new Map<string, () => void>();
  let room = (): void => undefined;

  const pathOf = (relPath: string) => join(folder.path, ...relPath.split('/'));
  const look = (relPath: string) => stateOf(pathOf(relPath), folder.path);
  const settler = createSettler({
    clock,
    limit: options.limit,
    state: look,
    content: (relPath) => readContent(pathOf(relPath)),
    onSettled(file) {
      intake.add(file);
      change();
    },
    onGone: (relPath) => {
      inBackground(() => missing.note(relPath));
      change();
    },
    onUnreadable: (...found) => inBackground(async () => unreadable(...found)),
  });
  const intake = createIntake({
    journal,
    clock,
    folder: () => folder,
    albumOf: (relPath) => options.albumOf(folder, relPath),
    exists: async (relPath) => (await look(relPath)) !== 'gone',
    wake: options.wake,
    again: (relPath) => later(`again:${relPath}`, LOOK_OFTEN, () => settler.touch(relPath, true)),
    onChange(failed) {
      const next = failed === undefined ? undefined : failureOf(failed);
      if (next && next.message !== intakeFailure?.message) console.warn(`Some files of ${folder.path} wait:`, failed);
      intakeFailure = next;
      change();
    },
  });
  const missing = createMissing({ journal, folder: () => folder, pathOf, touch: (relPath) => settler.touch(relPath, true) });

  function later(name: string, milliseconds: number, action: () => void) {
    timers.get(name)?.();
    timers.set(
      name,
      clock.after(milliseconds, () => {
        timers.delete(name);
        action();
      }),
    );
  }

  function inBackground(action: () => Promise<unknown>) {
    void action().catch(failed);
  }

  /** The journal can't be written, for example because the disk is full. */
  function failed(error: unknown) {
    console.error(`Watching ${folder.path} has failed:`, error);
    become({ state: 'problem', reason: failureOf(error) });
    wanted.clear();
    later('scan', SCAN_OFTEN, () => (available ? request('') : inBackground(open)));
  }

  function become(next: WatchState) {
    state = next;
    change();
  }

  function change() {
    if (settler.size() + intake.size() < ROOM) room();
    options.onChange();
  }

  async function open() {
    const { signal } = controller;
    if (folder.paused) {
      become({ state: 'paused' });
      return;
    }
    const trouble = await troubleOf(folder);
    if (signal.aborted) return;
    if (trouble) {
      leave(trouble);
      return;
    }
    arrive();
    startWatching();
    const ready = Promise.race([watching?.ready, new Promise<void>((resolve) => later('ready', READY_LIMIT, resolve))]);
    become({ state: 'scanning', notice });
    await ready;
    timers.get('ready')?.();
    if (!signal.aborted) request('');
  }

  function arrive() {
    available = true;
    options.hold(id, false);
    later('look', LOOK_EVERY, () => inBackground(lookAgain));
    options.onAvailable();
  }

  /** The folder can't be reached: nothing that is missing there is gone. */
  function leave(trouble: Trouble) {
    available = false;
    stop();
    options.hold(id, true);
    become(trouble);
    later('look', LOOK_OFTEN, () => inBackground(open));
  }

  async function lookAgain() {
    const { signal } = controller;
    const trouble = await troubleOf(folder);
    if (signal.aborted) return;
    if (trouble) leave(trouble);
    else later('look', LOOK_EVERY, () => inBackground(lookAgain));
  }

  function startWatching() {
    const { signal } = controller;
    notice = undefined;
    const { recursive, poll } = folder.options;
    const guard =
      <T>(action: (value: T) => void) =>
      (value: T) => {
        if (!signal.aborted) action(value);
      };
    watching = options.watch(
      folder.path,
      { recursive, poll, takesFolder: (relPath) => !relPath.split('/').some(selection.isHidden) && selection.takesFolder(relPath) },
      { onHint: guard(hint), onFolder: guard(request), onError: guard(incomplete) },
    );
  }

  /** Watching has failed, for example at the system's limit: scans take its place, and it is tried again. */
  function incomplete(error: Error) {
    const { code } = error as NodeJS.ErrnoException;
    console.warn(`Watching ${folder.path} is incomplete:`, error);
    notice = failureOf(new Reason(code === 'ENOSPC' || code === 'EMFILE' ? 'tooManyFolders' : 'watchingFailed', { cause: error }));
    if (state.state === 'watching' || state.state === 'scanning') become({ state: state.state, notice });
    request('');
  }

  function hint(relPath: string) {
    if (relPath === '') {
      inBackground(lookAgain);
      return;
    }
    hints += 1;
    if (hints >= BURST) later('burst', BURST_PAUSE, () => request(''));
    if (!selection.takes(relPath)) {
      if (selection.isOutside(relPath) || others.size >= MAX_SETTLING) return;
      others.add(relPath);
      if (!timers.has('others')) later('others', OTHERS_PAUSE, () => inBackground(noteOthers));
    } else if (settler.size() < MAX_SETTLING) {
      settler.touch(relPath, true);
      options.onChange();
    } else later('burst', BURST_PAUSE, () => request(''));
  }

  /** Records why files aren't taken, once they are more than a passing name. */
  async function noteOthers() {
    const { signal } = controller;
    for (const relPath of others) {
      const state = await look(relPath).catch(() => 'gone' as const);
      if (signal.aborted) return;
      others.delete(relPath);
      if (typeof state === 'object') noteSkipped(folders, folder, relPath, selection);
    }
    change();
  }

  /** Scans soon; requests in the meantime are combined. */
  function request(start: string) {
    wanted.add(start);
    if (!available || scanning) return;
    scanning = runScans()
      .catch(failed)
      .finally(() => {
        scanning = undefined;
        const [next] = wanted;
        if (next !== undefined) request(next);
      });
  }

  async function runScans() {
    const { signal } = controller;
    while (wanted.size > 0 && !signal.aborted) {
      const start = wanted.has('') ? '' : ([...wanted][0] as string);
      if (start === '') wanted.clear();
      else wanted.delete(start);
      if (start === '') become({ state: 'scanning', notice });
      try {
        await scan({ journal, folder, selection, start, signal, isExempt: (relPath) => previous?.takes(relPath) ?? false, take });
        if (start === '' && !signal.aborted) await scanned();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof RootUnavailable)) throw error;
        await lookAgain();
        if (available) leave({ state: 'problem', reason: failureOf(new Reason('folderUnreadable', { cause: error })) });
        return;
      }
    }
    if (!signal.aborted && available) become({ state: 'watching', notice });
  }

  /** Resolves when there is room for another file. */
  async function take(relPath: string) {
    settler.touch(relPath, false);
    if (settler.size() + intake.size() < ROOM) return;
    await new Promise<void>((resolve) => {
      room = resolve;
    });
  }

  async function scanned() {
    if (await troubleOf(folder)) {
      await lookAgain();
      return;
    }
    if (controller.signal.aborted) return;
    if (folder.since !== null) {
      folders.change(id, { since: null });
      folder = { ...folder, since: null };
    }
    previous = undefined;
    hints = 0;
    scannedAt = clock.now();
    await missing.find(controller.signal);
    for (const relPath of folders.reviveCopies(id)) settler.touch(relPath, true);
    if (notice && !timers.has('watch')) later('watch', SCAN_EVERY, () => inBackground(rewatch));
    later('scan', notice || folder.options.poll ? SCAN_OFTEN : SCAN_EVERY, () => request(''));
  }

  async function rewatch() {
    await watching?.close();
    if (controller.signal.aborted || !available) return;
    startWatching();
    request('');
  }

  function unreadable(relPath: string, found: { size: number; modified: number } | undefined, error: Error) {
    const known = folders.seen(id, relPath);
    if (!(known?.outcome === 'rejected' && known.failure?.code === 'fileUnreadable')) {
      const failure = failureOf(new Reason('fileUnreadable', { cause: error }));
      folders.note(id, { relPath, size: found?.size ?? 0, modified: found?.modified ?? 0 }, 'rejected', { failure });
    }
    change();
  }

  function stop() {
    controller.abort();
    controller = new AbortController();
    for (const cancel of timers.values()) cancel();
    timers.clear();
    wanted.clear();
    others.clear();
    settler.clear();
    intake.clear();
    intakeFailure = undefined;
    room();
    const closing = watching?.close();
    watching = undefined;
    closing?.catch((error: unknown) => console.error('A folder is still watched:', error));
  }

  inBackground(open);
  return {
    state: () => (intakeFailure && state.state === 'watching' ? { state: 'waiting', reason: intakeFailure } : state),
    isAvailable: () => available,
    settling: () => settler.size() + intake.size(),
    scannedAt: () => scannedAt,
    rescan: () => request(''),
    ended(item) {
      const { relPath } = item.folder ?? { relPath: '' };
      if (item.failure?.code === 'album_not_found' && folder.options.album.kind === 'perFolder') {
        options.forgetAlbums();
        journal.items.changed(item.id);
      }
      if (item.state !== 'done' && available) {
        const known = folders.seen(id, relPath);
        const again = known === undefined || (known.outcome === 'rejected' && isOfTheFile(known.failure));
        if (again) {
          settler.touch(relPath, true);
          for (const copy of folders.reviveCopies(id)) settler.touch(copy, true);
        }
      }
      options.onChange();
    },
    restart() {
      const before = selection;
      stop();
      available = false;
      folder = folders.get(id) as Folder;
      selection = selectionOf(folder.path, folder.options, options.own);
      previous ??= before;
      become(folder.paused ? { state: 'paused' } : { state: 'scanning', notice: undefined });
      inBackground(open);
    },
    async close() {
      stop();
      available = false;
      await scanning?.catch(() => undefined);
    },
  };
}
