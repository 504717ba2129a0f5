import { app, type Clipboard } from 'electron';
import { linkStyleOf } from '#api/desktop/preferences.ts';
import { styledLinks } from '#api/link-formats.ts';
import type { Logs } from './base/logs.ts';
import type { PreferenceStore } from './base/preferences.ts';
import type { UploadShortcut } from './capture/shortcuts.ts';
import type { Editors } from './editors/setup.ts';
import type { Handlers } from './ipc.ts';
import { serviceHandlers } from './service/calls.ts';
import type { LocalAccount } from './service/local-account.ts';
import type { ServiceProcess } from './service/server-process.ts';
import type { RecentUploads } from './uploader/recent-uploads.ts';
import { fileSource } from './uploader/sources.ts';
import type { Uploader } from './uploader/uploader.ts';

interface Parts {
  clipboard: Pick<Clipboard, 'writeText'>;
  logs: Logs;
  service: ServiceProcess;
  account: LocalAccount;
  uploader: Uploader;
  recent: RecentUploads;
  preferences: PreferenceStore;
  shortcut: UploadShortcut;
  editors: Editors;
}

/** Handlers of the calls from pages; each delegates to one part. */
export function createCalls({ clipboard, logs, service, account, uploader, recent, preferences, shortcut, editors }: Parts): Handlers {
  const presentPreferences = () => ({ ...preferences.get(), shortcutActive: shortcut.active() });
  return {
    getVersion: () => app.getVersion(),
    copyText: async (text) => {
      await clipboard.writeText(text);
      return undefined;
    },
    uploadPaths: (paths) => uploader.upload(paths.map((path) => fileSource(path))).ids,
    retryUpload: (id) => void uploader.retry(id),
    discardUpload: (id) => void uploader.discard(id),
    getRecentUploads: async () => {
      await recent.refresh();
      return recent.list().map(({ image }) => ({
        key: image.key,
        name: image.name,
        link: styledLinks([image], linkStyleOf(preferences.get())),
        shareUrl: image.links.share_url,
        thumbnailUrl: image.links.thumbnail_url,
      }));
    },
    getPreferences: presentPreferences,
    setPreferences: (change) => {
      preferences.set(change);
      return presentPreferences();
    },
    getEditorsStatus: editors.status,
    ...serviceHandlers({ logs, service, account }),
  };
}
