import { app, type Clipboard } from 'electron';
import type { joiningCalls } from '#api/desktop/joining.ts';
import type { setupCalls } from '#api/desktop/setup.ts';
import { openLoginSettings } from '#main/base/login-settings.ts';
import type { Logs } from '#main/base/logs.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { StartAtLogin } from '#main/base/start-at-login.ts';
import type { ClipboardWatch } from '#main/capture/clipboard-watch.ts';
import { dropHandlers } from '#main/capture/drop.ts';
import type { Shortcuts } from '#main/capture/shortcuts.ts';
import type { Editors } from '#main/editors/setup.ts';
import type { Handlers } from '#main/ipc.ts';
import { lanHandlers } from '#main/lan/calls.ts';
import type { Lan } from '#main/lan/lan.ts';
import type { Account } from '#main/service/account.ts';
import { serviceHandlers } from '#main/service/calls.ts';
import type { LocalAccount } from '#main/service/local-account.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import { type UploadParts, uploadHandlers } from '#main/uploader/calls.ts';
import { type FolderParts, folderHandlers } from '#main/watcher/calls.ts';

interface Parts {
  clipboard: Pick<Clipboard, 'writeText'>;
  logs: Logs;
  service: ServiceProcess;
  lan: Lan;
  account: Account;
  /** Undefined while another Pixdock server is joined. */
  local: LocalAccount | undefined;
  uploads: UploadParts;
  folders: FolderParts;
  preferences: PreferenceStore;
  shortcuts: Shortcuts;
  clipboardWatch: Pick<ClipboardWatch, 'available'>;
  lacksClipboardPrograms(): boolean;
  editors: Editors;
  drop: Parameters<typeof dropHandlers>[0];
  startAtLogin: StartAtLogin;
  /** Whether windows can stay on top. */
  canFloat: boolean;
}

/** All calls but those of the first page and the page about a joined host, whose parts have handlers of their own. */
type OwnHandlers = Omit<Handlers, keyof typeof setupCalls | keyof typeof joiningCalls>;

/** Handlers of the calls from pages; each delegates to one part. */
export function createCalls({
  clipboard,
  logs,
  service,
  lan,
  account,
  local,
  uploads,
  folders,
  preferences,
  shortcuts,
  clipboardWatch,
  lacksClipboardPrograms,
  editors,
  drop,
  startAtLogin,
  canFloat,
}: Parts): OwnHandlers {
  const presentPreferences = () => ({
    ...preferences.get(),
    shortcutState: shortcuts.upload.state(),
    captureShortcutState: shortcuts.capture.state(),
    clipboardWatchable: clipboardWatch.available,
    lacksClipboardPrograms: lacksClipboardPrograms(),
    canFloat,
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
    getStartAtLogin: startAtLogin.state,
    setStartAtLogin(on) {
      startAtLogin.set(on);
      return startAtLogin.state();
    },
    openLoginSettings: () => openLoginSettings(),
    ...uploadHandlers(uploads),
    ...lanHandlers({ lan, service }),
    ...folderHandlers(folders),
    ...serviceHandlers({ logs, service, account, local }),
  };
}
