import { app, shell } from 'electron';
import { systemClock } from '#main/base/clock.ts';
import { onResume } from '#main/base/power.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { Account } from '#main/service/account.ts';
import { createWatchFolders, type FolderQueue, type WatchFolders } from './folders.ts';
import { watch } from './watch.ts';

interface Options {
  journal: Journal;
  queue: FolderQueue;
  account: Account;
  /** Absolute path of the hosted service's data folder. */
  dataFolder: string;
}

/** The watch folders, which start with the app. */
export function setupWatcher({ journal, queue, account, dataFolder }: Options): WatchFolders {
  const folders = createWatchFolders({
    journal,
    queue,
    account,
    clock: systemClock,
    watch,
    trash: (path) => shell.trashItem(path),
    own: [app.getPath('userData'), dataFolder],
  });
  onResume(() => {
    for (const { folder } of folders.list()) folders.rescan(folder.id);
  });
  return folders;
}
