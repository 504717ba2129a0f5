import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import type { DesktopEnv } from '#main/base/system/env.ts';
import type { messageBox } from '#main/base/system/message-box.ts';
import type { Texts } from './texts/en.ts';

/** The part of electron-updater that is used. */
interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null>;
  downloadUpdate(): Promise<unknown>;
}

type Place = Pick<NodeJS.Process, 'platform' | 'resourcesPath'>;

interface Options {
  app: Pick<App, 'getVersion' | 'quit'>;
  messageBox: typeof messageBox;
  /** The folder where a package with a feed has `app-update.yml`; electron-updater reads it there. */
  resourcesPath: string;
  texts(): Texts;
  /** The message for an error. */
  describe(error: unknown): string;
  /** See {@link canInstallUpdates}. */
  canInstall: boolean;
  /** Loads electron-updater, which only an app with a feed needs. */
  load?(): Promise<Updater>;
}

/** Whether this kind of package can install updates: the portable program and an unpacked archive can't. */
export function canInstallUpdates({ launchFile, isPortable }: Pick<DesktopEnv, 'launchFile' | 'isPortable'>, place: Place): boolean {
  if (place.platform === 'win32') return !isPortable;
  // electron-builder leaves the same files in an archive as in a package for the system's package manager, which has a folder of its own.
  return place.platform !== 'linux' || launchFile !== undefined || place.resourcesPath === '/opt/Pixdock/resources';
}

/**
 * Returns the action of a menu's "Check for updates…", or undefined when the package has no feed or can't install updates. The app contacts
 * the feed only when that action runs. It asks before it downloads, and installs when the app quits. Failures are shown in a message box.
 */
export function setupUpdates(options: Options): (() => Promise<void>) | undefined {
  const { app, messageBox, resourcesPath, texts, describe, canInstall, load = electronUpdater } = options;
  if (!canInstall || !existsSync(join(resourcesPath, 'app-update.yml'))) return undefined;
  let running: Promise<void> | undefined;

  /** True for the first of two buttons. */
  async function ask(message: string, yes: string): Promise<boolean> {
    return (await messageBox({ message, buttons: [yes, texts().later], defaultId: 0, cancelId: 1 })) === 0;
  }

  async function check() {
    const updater = await load();
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = true;
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) {
      await messageBox({ message: texts().upToDate(app.getVersion()), cancelId: 0 });
      return;
    }
    const { version } = found.updateInfo;
    if (!(await ask(texts().updateAvailable(version), texts().downloadUpdate))) return;
    await updater.downloadUpdate();
    if (await ask(texts().updateReady(version), texts().quitToUpdate)) app.quit();
  }

  async function checkAndExplain() {
    try {
      await check();
    } catch (error) {
      console.error('Update failed:', error);
      await messageBox({ type: 'warning', message: texts().updateFailed, detail: describe(error), cancelId: 0 });
    }
  }

  /** A second click while a check runs adds nothing. */
  return async () => {
    running ??= checkAndExplain().finally(() => {
      running = undefined;
    });
    await running;
  };
}

async function electronUpdater(): Promise<Updater> {
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.logger = console;
  return autoUpdater;
}
