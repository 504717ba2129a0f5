import type { PreferenceStore } from '#main/base/preferences.ts';
import type { DesktopEnv } from '#main/base/system/env.ts';
import type { Ipc } from '#main/ipc.ts';
import type { ClipboardWatch } from './clipboard-watch.ts';
import type { Shortcuts } from './shortcuts.ts';
import { hasClipboardPrograms } from './wayland-clipboard.ts';

interface Parts {
  preferences: PreferenceStore;
  shortcuts: Shortcuts;
  clipboardWatch: Pick<ClipboardWatch, 'available'>;
  env: Pick<DesktopEnv, 'wayland' | 'programFolders'>;
}

/** Handles the calls about preferences, and reports which of them work on this computer. */
export function handlePreferenceCalls(ipc: Ipc, { preferences, shortcuts, clipboardWatch, env }: Parts): void {
  const present = () => ({
    ...preferences.get(),
    shortcutState: shortcuts.upload.state(),
    captureShortcutState: shortcuts.capture.state(),
    portalShortcuts: env.wayland,
    clipboardWatchable: clipboardWatch.available,
    canCopyPictures: !env.wayland,
    lacksClipboardPrograms: env.wayland && !hasClipboardPrograms(env.programFolders),
    canFloat: !env.wayland, // whether windows can stay on top
  });
  ipc.handle({
    getPreferences: present,
    setPreferences(change) {
      preferences.set(change);
      return present();
    },
  });
}
