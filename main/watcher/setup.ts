import { app, shell } from 'electron';
import { atMost } from '#main/base/at-most.ts';
import { systemClock } from '#main/base/clock.ts';
import { onResume } from '#main/base/system/power.ts';
import { EVENTS_PER_SECOND, type Ipc } from '#main/ipc.ts';
import type { Journal } from '#main/journal/journal.ts';
import { type Account, takesVideos } from '#main/service/account.ts';
import { diskSpaceOf, reserveOf } from '#server/platform/storage/reserve.ts';
import { type FolderParts, folderHandlers, presentFolders } from './calls.ts';
import { createWatchFolders, type FolderQueue, type WatchFolders } from './folders.ts';
import { watch } from './watch.ts';

interface Options extends Omit<FolderParts, 'folders'> {
  ipc: Ipc;
  journal: Journal;
  queue: FolderQueue;
  /** Called with new drafts, to be edited or asked about. */
  onDrafts: Parameters<typeof createWatchFolders>[0]['onDrafts'];
  account: Account;
  /** Absolute path of the hosted service's data folder. */
  dataFolder: string;
  /** Whether this computer stores the pictures. */
  hosts: boolean;
}

/** The watch folders, which start with the app; handles the calls about them, and reports changes to pages. */
export function setupWatcher({ ipc, journal, queue, onDrafts, account, dataFolder, hosts, ...shown }: Options): WatchFolders {
  const folders = createWatchFolders({
    journal,
    queue,
    onDrafts,
    account,
    takesVideos: (known) => takesVideos(account, known),
    clock: systemClock,
    watch,
    trash: (path) => shell.trashItem(path),
    freeSpace: async () => (hosts ? freeSpaceOf(dataFolder) : undefined),
    own: [app.getPath('userData'), dataFolder],
  });
  const parts = { folders, ...shown };
  ipc.handle(folderHandlers(parts));
  folders.onChange(atMost(EVENTS_PER_SECOND, () => ipc.tell('folders', presentFolders(parts))));
  onResume(() => {
    for (const { folder } of folders.list()) folders.rescan(folder.id);
  });
  return folders;
}

/** What uploads may still use of a disk, which keeps a reserve (decision 030). */
async function freeSpaceOf(folder: string): Promise<number> {
  const space = await diskSpaceOf(folder);
  return Math.max(0, space.free - reserveOf(space, null));
}
