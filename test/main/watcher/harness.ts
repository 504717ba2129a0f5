import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import type { FolderOptions } from '#api/desktop/folders.ts';
import { createWatchFolders } from '#main/watcher/folders.ts';
import type { WatchEvents } from '#main/watcher/watch.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { uploaderIn } from '../uploader/harness.ts';

/** The time within which everything happens that a test expects. */
const LIMIT_MS = 3_600_000;

/** Resolves once no file is being read or written in the background. */
async function filesAtRest(folder: string) {
  do {
    await stat(folder);
    await turn(); // until then, this one counts too
  } while (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')));
}

/** Watch folders on real files, with a clock that moves on command, watched by nothing: tests send the hints. */
export function foldersIn(state = temporaryFolder()) {
  const parts = uploaderIn(state);
  const { journal, uploader, account, clock } = parts;
  const watched: { events: WatchEvents; isOpen: boolean }[] = [];
  const trashed: string[] = [];
  const drafts: [readonly string[], string][] = [];
  const videos = { areTaken: false };
  const folders = createWatchFolders({
    journal,
    queue: uploader,
    account,
    takesVideos: async () => videos.areTaken,
    clock,
    watch(_root, _options, events) {
      const one = { events, isOpen: true };
      watched.push(one);
      return {
        ready: Promise.resolve(),
        async close() {
          one.isOpen = false;
        },
      };
    },
    onDrafts: (...found) => void drafts.push(found),
    async trash(path) {
      trashed.push(path);
    },
    freeSpace: async () => 40,
    own: [state],
  });
  onTestFinished(() => folders.close());

  /** Lets time pass until something is the case. */
  async function until(fits: () => boolean | Promise<boolean>, what: string) {
    const end = clock.now() + LIMIT_MS;
    while (!(await fits())) {
      if (clock.now() > end) throw new Error(`${what} hasn’t happened`);
      clock.pass(100);
      await filesAtRest(state);
    }
  }
  const only = () => {
    const [found] = folders.list();
    if (!found) throw new Error('there is no watch folder');
    return found;
  };
  const rest = () => until(() => only().watch.state().state === 'watching' && only().watch.settling() === 0, 'a rest');
  /** What happened, oldest first, as `file what`. */
  const events = () =>
    folders
      .events(only().folder.id, { search: '', before: undefined, limit: 200 })
      .reverse()
      .map(({ relPath, what }) => `${relPath} ${what}`);
  return {
    ...parts,
    folders,
    /** Whether the account may upload videos. */
    videos,
    trashed,
    drafts,
    until,
    only,
    rest,
    /** Sends hints as the latest watcher. */
    hints: () => watched.at(-1)?.events as WatchEvents,
    openWatchers: () => watched.filter(({ isOpen }) => isOpen).length,
    async add(path: string, options: Partial<FolderOptions> = {}) {
      // Files have times of this computer, and the folder is added after them.
      clock.pass(Math.max(0, Date.now() + 1_000 - clock.now()));
      const id = await folders.add(path, { ...DEFAULT_FOLDER_OPTIONS, ...options });
      await rest();
      return id;
    },
    async rescan() {
      folders.rescan(only().folder.id);
      await until(() => only().watch.state().state === 'scanning', 'a scan');
      await rest();
    },
    /** Uploads what is being sent, with all that follows. */
    async upload() {
      for (;;) {
        const item = journal.items.list(['sending'], 1, 0)[0];
        if (!item) return;
        parts.now(item.name).work.resolve(uploadedImage());
        await until(() => journal.items.get(item.id)?.state === 'done', `the upload of ${item.name}`);
      }
    },
    events,
    /** Files that were uploaded, by path. */
    uploaded: () =>
      events()
        .filter((event) => event.endsWith(' uploaded'))
        .map((event) => event.replace(/ uploaded$/, ''))
        .sort(),
    outcomeOf: (relPath: string) => journal.seen.get(only().folder.id, relPath)?.outcome,
  };
}

/** Writes a file that was last changed at a certain second. */
export async function put(folder: string, name: string, content: string, second = 1_700_000_000) {
  const path = join(folder, name);
  await writeFile(path, content);
  await utimes(path, second, second);
  return path;
}
