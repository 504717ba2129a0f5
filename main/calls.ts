import { app, type Clipboard } from 'electron';
import type { joiningCalls } from '#api/desktop/joining.ts';
import type { setupCalls } from '#api/desktop/setup.ts';
import type { Logs } from './base/logs.ts';
import type { PreferenceStore } from './base/preferences.ts';
import type { StartAtLogin } from './base/start-at-login.ts';
import type { ClipboardWatch } from './capture/clipboard-watch.ts';
import { dropHandlers } from './capture/drop.ts';
import type { Shortcuts } from './capture/shortcuts.ts';
import type { Editors } from './editors/setup.ts';
import type { Handlers } from './ipc.ts';
import { lanHandlers } from './lan/calls.ts';
import type { Lan } from './lan/lan.ts';
import { serviceHandlers } from './service/calls.ts';
import type { LocalAccount } from './service/local-account.ts';
import type { ServiceProcess } from './service/server-process.ts';
import { type UploadParts, uploadHandlers } from './uploader/calls.ts';
import { type FolderParts, folderHandlers } from './watcher/calls.ts';

interface Parts {
  clipboard: Pick<Clipboard, 'writeText'>;
  logs: Logs;
  service: ServiceProcess;
  lan: Lan;
  /** Undefined while another Pixdock is joined. */
  local: LocalAccount | undefined;
  uploads: UploadParts;
  folders: FolderParts;
  preferences: PreferenceStore;
  shortcuts: Shortcuts;
  clipboardWatch: Pick<ClipboardWatch, 'available'>;
  editors: Editors;
  drop: Parameters<typeof dropHandlers>[0];
  startAtLogin: StartAtLogin;
}

/** All calls but those of the first page and the page about a joined host, whose parts have handlers of their own. */
type OwnHandlers = Omit<Handlers, keyof typeof setupCalls | keyof typeof joiningCalls>;

/** Handlers of the calls from pages; each delegates to one part. */
export function createCalls({
  clipboard,
  logs,
  service,
  lan,
  local,
  uploads,
  folders,
  preferences,
  shortcuts,
  clipboardWatch,
  editors,
  drop,
  startAtLogin,
}: Parts): OwnHandlers {
  const presentPreferences = () => ({
    ...preferences.get(),
    shortcutState: shortcuts.upload.state(),
    captureShortcutState: shortcuts.capture.state(),
    clipboardWatchable: clipboardWatch.available,
  });
  return {
    getVersion: () => app.getVersion(),
    copyText: async (text) => {
      await clipboard.writeText(text);
      return undefined;
    },
    getPreferences: presentPreferences,
    setPreferences: (change) => {
      preferences.set(change);
      return presentPreferences();
    },
    ...dropHandlers(drop),
    getEditorsStatus: editors.status,
    getStartAtLogin: startAtLogin.isOn,
    setStartAtLogin(on) {
      startAtLogin.set(on);
      return startAtLogin.isOn();
    },
    ...uploadHandlers(uploads),
    ...lanHandlers({ lan, service }),
    ...folderHandlers(folders),
    ...serviceHandlers({ logs, service, account: local }),
  };
}
