import { nativeImage } from 'electron';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { UploadShortcut } from '#main/capture/shortcuts.ts';
import type { LocalAccount } from '#main/service/local-account.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { RecentUploads } from '#main/uploader/recent-uploads.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import type { TrayState } from './tray-menu.ts';

/** Height of thumbnails in the menu, in device-independent pixels. */
const ICON_HEIGHT = 20;

interface Parts {
  service: ServiceProcess;
  account: Pick<LocalAccount, 'name' | 'missing'>;
  uploader: Uploader;
  recent: RecentUploads;
  preferences: PreferenceStore;
  shortcut: UploadShortcut;
  describe(error: unknown): string;
}

/** Collects the tray's state from its sources. */
export function trayState({ service, account, uploader, recent, preferences, shortcut, describe }: Parts): TrayState {
  const items = uploader.items();
  return {
    service: service.status(),
    account: { name: account.name(), missing: account.missing() },
    uploading: items.filter(({ state }) => state === 'queued' || state === 'uploading').length,
    failed: items
      .filter(({ state }) => state === 'failed')
      .map(({ id, source, error }) => ({ id, name: source.name, reason: describe(error) })),
    recent: recent.list().map(({ image, thumbnail }) => ({
      key: image.key,
      name: image.name,
      icon: thumbnail && nativeImage.createFromBuffer(thumbnail).resize({ height: ICON_HEIGHT }),
    })),
    linkFormat: preferences.get().linkFormat,
    shortcut: preferences.get().shortcut,
    shortcutActive: shortcut.active(),
  };
}
