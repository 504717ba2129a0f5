import type { StartAtLogin } from '#main/base/start-at-login.ts';
import { hasClipboardPrograms } from '#main/capture/wayland-clipboard.ts';
import { type PageKind, setupIpc } from '#main/ipc.ts';
import { uploadStatus } from '#main/uploader/calls.ts';
import { pendingUploads } from '#main/uploader/pending.ts';
import { presentFolders } from '#main/watcher/calls.ts';
import type { DropWindow } from '#main/windows/drop-window.ts';
import { setupPageEvents } from '#main/windows/page-events.ts';
import type { MainWindow } from '#main/windows/windows.ts';
import type { Basics } from './basics.ts';
import { createCalls } from './calls.ts';
import type { Hosting } from './hosting.ts';
import type { Uploading } from './uploading.ts';

interface Windows {
  mainWindow: MainWindow;
  dropWindow: DropWindow;
  /** Identifies a page of the main window by its address. */
  pageKind(url: string): PageKind;
}

/** Handles the calls of the pages, and sends them events. */
export function setupPages(
  basics: Basics,
  hosting: Hosting,
  uploading: Uploading,
  { mainWindow, dropWindow, pageKind }: Windows,
  startAtLogin: StartAtLogin,
): void {
  const { clipboard, logs, preferences, texts, env, explain, explainFailure } = basics;
  const { service, lan, local, account, joined } = hosting;
  const { uploader, spool, folders, deliver, deliveries, shortcuts, clipboardWatch, editors } = uploading;
  const uploads = { uploader, spool, account, preferences: preferences.get, describe: explainFailure };
  const folderParts = { folders, describe: explainFailure, texts, window: mainWindow.get };
  const drop = { account, dropWindow, deliver };
  const parts = {
    clipboard,
    logs,
    service,
    lan,
    account,
    local,
    preferences,
    shortcuts,
    clipboardWatch,
    lacksClipboardPrograms: () => env.wayland && !hasClipboardPrograms(env.programFolders),
    startAtLogin,
    editors,
    drop,
    canFloat: !env.wayland,
  };
  const handlers = {
    ...createCalls({ ...parts, uploads, folders: folderParts }),
    ...joined?.handlers({ texts, program: env.launchFile, pending: pendingUploads(uploader) }),
  };
  const { tell } = setupIpc({ handlers, windows: [{ get: mainWindow.get, pageKind }, dropWindow], describe: explain });
  setupPageEvents(tell, {
    service,
    lan,
    uploads: { onChange: uploader.onChange, read: () => uploadStatus(uploads) },
    folders: { onChange: folders.onChange, read: () => presentFolders(folderParts) },
  });
  joined?.follow(tell);
  deliveries.on('delivered', (delivery) => tell('delivery', delivery));
}
