import type { BrowserWindow, OpenDialogOptions } from 'electron';
import type { WatchFolder } from '#api/desktop/folders.ts';
import { Reason } from '#main/base/reasons.ts';
import { askForPaths } from '#main/base/system/file-dialogs.ts';
import type { Handlers } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import type { WatchFolders } from './folders.ts';
import { type Describe, presentEvent, presentFolder } from './present.ts';
import { screenshotsFolder } from './screenshots.ts';

export interface FolderParts {
  folders: WatchFolders;
  describe: Describe;
  texts(): Texts;
  window(): BrowserWindow | undefined;
}

type FolderCalls =
  | 'getFolders'
  | 'chooseFolder'
  | 'previewFolder'
  | 'addFolder'
  | 'changeFolder'
  | 'pauseFolders'
  | 'removeFolder'
  | 'repointFolder'
  | 'rescanFolder'
  | 'getFolderEvents'
  | 'offerScreenshots';

/**
 * Handlers of the pages' calls about watch folders. A page may only name folders that the user chose or that it was offered since the app
 * started: a script injected into a page must not publish the user's files.
 */
export function folderHandlers(parts: FolderParts): Pick<Handlers, FolderCalls> {
  const { folders, describe, texts, window } = parts;
  const given = new Set<string>();
  const give = (path: string) => {
    given.add(path);
    return path;
  };
  const requireGiven = (path: string, id?: string) => {
    const isOwn = id !== undefined && folders.list().some(({ folder }) => folder.id === id && folder.path === path);
    if (!isOwn && !given.has(path)) throw new Reason('folderNotChosen');
  };
  const one = (id: string): WatchFolder => {
    const found = presentFolders(parts).find((folder) => folder.id === id);
    if (!found) throw new Reason('folderUnknown');
    return found;
  };
  return {
    getFolders: () => presentFolders(parts),
    async chooseFolder() {
      const options: OpenDialogOptions = { title: texts().chooseFolder, properties: ['openDirectory', 'createDirectory'] };
      const [path] = await askForPaths('watchFolder', window(), options);
      return path === undefined ? null : give(path);
    },
    async previewFolder({ path, options, id }) {
      requireGiven(path, id);
      return folders.preview(path, options, id);
    },
    async addFolder({ path, options }) {
      requireGiven(path);
      return one(await folders.add(path, options));
    },
    async changeFolder(id, options) {
      await folders.change(id, options);
      return one(id);
    },
    pauseFolders: ({ paused, id }) => void folders.pause(paused, id),
    async removeFolder(id) {
      await folders.remove(id);
      return undefined;
    },
    async repointFolder(id, path) {
      requireGiven(path, id);
      await folders.repoint(id, path);
      return one(id);
    },
    rescanFolder: (id) => void folders.rescan(id),
    getFolderEvents({ id, search, before, limit }) {
      const found = folders.events(id, { search, before, limit: limit + 1 });
      const items = found.slice(0, limit).flatMap((event) => presentEvent(event, describe) ?? []);
      return { items, more: found.length > limit };
    },
    async offerScreenshots() {
      const path = await screenshotsFolder();
      return path !== undefined && !folders.covers(path) ? give(path) : null;
    },
  };
}

/** The watch folders as sent to pages. */
export function presentFolders({ folders, describe }: Pick<FolderParts, 'folders' | 'describe'>): WatchFolder[] {
  return folders.list().map(({ folder, watch, counts, unreadable }) => presentFolder(folder, watch, counts, unreadable, describe));
}
