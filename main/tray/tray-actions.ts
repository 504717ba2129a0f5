import { app, type Clipboard } from 'electron';
import type { CaptureMode } from '#api/desktop/capture.ts';
import { linkStyleOf, type TrayClick } from '#api/desktop/preferences.ts';
import { styledLinks } from '#api/sharing/link-formats.ts';
import type { Logs } from '#main/base/files/logs.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { openLoginSettings } from '#main/base/system/login-settings.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { StartAtLogin } from '#main/base/system/start-at-login.ts';
import type { Recordings } from '#main/recording/setup.ts';
import { showLogFolder } from '#main/service/calls.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { Texts } from '#main/texts/en.ts';
import { pageToSend, type RecentUploads } from '#main/uploader/recent-uploads.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import type { WatchFolders } from '#main/watcher/folders.ts';
import type { DropWindow } from '#main/windows/drop-window.ts';
import type { Pins } from '#main/windows/pins.ts';
import type { TrayActions } from './tray-menu.ts';

interface Parts {
  /** While it has begun, a click on the icon opens the app, whatever else the user chose. */
  quit: { begun(): boolean };
  clipboard: Pick<Clipboard, 'writeText'>;
  service: ServiceProcess;
  uploader: Uploader;
  folders: WatchFolders;
  recent: RecentUploads;
  preferences: PreferenceStore;
  dropWindow: Pick<DropWindow, 'show'>;
  pins: Pick<Pins, 'closeAll'>;
  cards: { focus(): void };
  triggers: {
    captureScreen(inverted?: boolean, mode?: CaptureMode): Promise<void>;
    uploadClipboard(inverted?: boolean): Promise<void>;
    uploadFiles(): Promise<void>;
    uploadPaths(paths: readonly string[], origin: 'dropped'): Promise<void>;
    copyScreenText(): Promise<void>;
  };
  recording: Pick<Recordings, 'toggle' | 'pause' | 'resume' | 'discard'>;
  startAtLogin: StartAtLogin;
  logs: Logs;
  notify: Notify;
  texts(): Texts;
  /** The sentence that the user sees for an error. */
  explain(error: unknown): string;
  /** Shows the window, on a page of the application if one is given. */
  open(page?: string): void;
  openHost(): void;
  /** Shows a page of the account's server. */
  openOnServer(page: string): void;
}

/** The actions of the tray's menu. */
export function trayActions({
  quit,
  clipboard,
  service,
  uploader,
  folders,
  recent,
  preferences,
  dropWindow,
  pins,
  cards,
  triggers,
  recording,
  startAtLogin,
  logs,
  notify,
  texts,
  explain,
  open,
  openHost,
  openOnServer,
}: Parts): TrayActions {
  /** Reports a failed action: an item that seems to do nothing is the worst outcome. */
  const report = (title: string, error: unknown) => {
    console.error(`${title}:`, error);
    notify({ title, body: explain(error), failure: true });
  };
  const explainBlocked = () => {
    const onClick = () => void openLoginSettings().catch((error: unknown) => report(texts().startAtLoginFailed, error));
    notify({ title: texts().startAtLoginBlockedTitle, body: texts().startAtLoginBlocked[process.platform] ?? '', failure: true, onClick });
  };
  const copy = (text: string) => {
    clipboard.writeText(text).catch((error: unknown) => report(texts().copyFailed, error));
  };
  const clicks: Record<TrayClick, () => void> = {
    open: () => open(),
    upload: () => void triggers.uploadClipboard(),
    capture: () => void triggers.captureScreen(),
    drop: dropWindow.show,
  };
  return {
    click: () => clicks[quit.begun() ? 'open' : preferences.get().trayClick](),
    copyAddress() {
      const status = service.status();
      if (status.state === 'running') copy(status.linkAddress);
    },
    retryService: () => service.retry(),
    setStartAtLogin(on) {
      try {
        startAtLogin.set(on);
        if (startAtLogin.state() === 'blocked') explainBlocked();
      } catch (error) {
        report(texts().startAtLoginFailed, error);
      }
    },
    setAppearance: (change) => preferences.set(change),
    openLogFolder: () => showLogFolder(logs),
    setLan: (lan) => preferences.set({ lan }),
    showLanCode: () => open('/settings/computer#network'),
    captureScreen: (mode, inverted) => void triggers.captureScreen(inverted, mode),
    closePins: pins.closeAll,
    focusCards: () => cards.focus(),
    record: (target, inverted) => void recording.toggle(target, inverted),
    steerRecording: (what) => void recording[what](),
    copyScreenText: () => void triggers.copyScreenText(),
    setCaptureDelay: (captureDelay) => preferences.set({ captureDelay }),
    uploadClipboard: (inverted) => void triggers.uploadClipboard(inverted),
    uploadDropped: (paths) => void triggers.uploadPaths(paths, 'dropped'),
    showDropWindow: dropWindow.show,
    uploadFiles: () => void triggers.uploadFiles(),
    pauseUploads: (paused) => uploader.setPaused(paused),
    retryUpload: (id) => uploader.change('retry', [id]),
    retryAllUploads: () => uploader.change('retry', 'all'),
    dismissUpload: (id) => uploader.change('dismiss', [id]),
    dismissAllUploads: () => uploader.change('dismiss', 'all'),
    showUploads: () => open('/uploads'),
    pauseFolders: folders.pause,
    showFolders: () => open('/folders'),
    copyRecent(key) {
      const image = recent.list().find(({ image }) => image.key === key);
      if (image) copy(styledLinks([image.image], linkStyleOf(preferences.get())));
    },
    sendRecent: (key) => openOnServer(pageToSend(key)),
    setLinkFormat: (linkFormat) => preferences.set({ linkFormat }),
    open: () => open(),
    openSettings: () => open('/settings/computer'),
    openHost,
    quit: () => app.quit(),
  };
}
