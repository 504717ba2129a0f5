import type { BrowserWindow, OpenDialogOptions } from 'electron';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { DesktopEnv } from '#main/base/system/env.ts';
import { askForPaths } from '#main/base/system/file-dialogs.ts';
import type { Ipc } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { localCopyFolder } from '#main/uploader/local-copies.ts';
import type { ClipboardWatch } from './clipboard-watch.ts';
import type { Shortcuts } from './shortcuts.ts';
import { hasClipboardPrograms } from './wayland-clipboard.ts';

interface Parts {
  preferences: PreferenceStore;
  shortcuts: Shortcuts;
  clipboardWatch: Pick<ClipboardWatch, 'available'>;
  env: Pick<DesktopEnv, 'wayland' | 'programFolders'>;
  /** Where local copies go unless the user has chosen a folder. */
  copyFolder: string;
  texts(): Texts;
  window(): BrowserWindow | undefined;
}

/** Handles the calls about preferences, and reports which of them work on this computer. */
export function handlePreferenceCalls(ipc: Ipc, { preferences, shortcuts, clipboardWatch, env, copyFolder, texts, window }: Parts): void {
  const present = () => ({
    ...preferences.get(),
    shortcutState: shortcuts.upload.state(),
    captureShortcutState: shortcuts.capture.state(),
    recordShortcutState: shortcuts.record.state(),
    portalShortcuts: env.wayland,
    clipboardWatchable: clipboardWatch.available,
    canCopyPictures: !env.wayland,
    lacksClipboardPrograms: env.wayland && !hasClipboardPrograms(env.programFolders),
    localCopyPlace: localCopyFolder(preferences.get(), copyFolder),
    canFloat: !env.wayland, // whether windows can stay on top
    canRecordSound: process.platform !== 'linux',
  });
  ipc.handle({
    getPreferences: present,
    setPreferences(change) {
      preferences.set(change);
      return present();
    },
    async chooseCopyFolder() {
      const options: OpenDialogOptions = { title: texts().chooseCopyFolder, properties: ['openDirectory', 'createDirectory'] };
      const [path] = await askForPaths('localCopies', window(), options);
      if (path !== undefined) preferences.set({ localCopyFolder: path });
      return present();
    },
  });
}
