import { app, clipboard as electronClipboard } from 'electron';
import { handleAppCalls } from '#main/base/app-calls.ts';
import { setupLogs } from '#main/base/files/logs.ts';
import { appPaths } from '#main/base/files/paths.ts';
import { setupPreferences } from '#main/base/preferences.ts';
import { describe } from '#main/base/reasons.ts';
import { readEnv } from '#main/base/system/env.ts';
import { setupNotifications } from '#main/base/system/notifications.ts';
import { identifyOnWindows } from '#main/base/system/windows-identity.ts';
import { waylandClipboard } from '#main/capture/wayland-clipboard.ts';
import { createIpc } from '#main/ipc.ts';
import { textsFor } from '#main/texts/texts.ts';

export type Basics = ReturnType<typeof setupBasics>;

/** What every part of the app may need. */
export function setupBasics() {
  const logs = setupLogs({ folder: app.getPath('logs'), echo: !app.isPackaged });
  const preferences = setupPreferences();
  const texts = () => textsFor(preferences.get().language, app.getLocale());
  const env = readEnv();
  if (process.platform === 'win32') identifyOnWindows(app, app.isPackaged ? (env.isPortable ? 'portable' : 'installed') : 'source');
  /** The sentence that the user sees for an error. */
  const explain = (error: unknown) => describe(error, texts());
  const ipc = createIpc(explain);
  const clipboard = env.wayland ? waylandClipboard(electronClipboard) : electronClipboard;
  handleAppCalls(ipc, clipboard);
  return {
    ipc,
    logs,
    preferences,
    texts,
    env,
    paths: appPaths({ isPackaged: app.isPackaged, appPath: app.getAppPath(), resourcesPath: process.resourcesPath }),
    explain,
    notify: setupNotifications({ preferences, texts }),
    clipboard,
  };
}
