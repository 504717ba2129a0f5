import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { windowsTool } from './env.ts';

/** The time that the registry has while the app exits. */
const REMOVAL_LIMIT_MS = 3_000;

/** How a copy of Pixdock was started: `source` is `npm start`. */
export type Edition = 'installed' | 'portable' | 'source';

interface Identity {
  name: string;
  /** The application's id, also of its entry among the programs that start at login. */
  id: string;
  /** The class that Windows starts when the user clicks a notification. */
  activator: string;
}

/** Those of the installed app are in electron-builder.yml and removed by resources/build/installer.nsh. */
export const IDENTITIES: Readonly<Record<Edition, Identity>> = {
  installed: { name: 'Pixdock', id: 'org.pixdock.desktop', activator: '{D2D1C953-FFB8-4E11-A905-AD949BC52BF5}' },
  portable: { name: 'Pixdock (portable)', id: 'org.pixdock.desktop.portable', activator: '{EDFBD08D-A3C1-4A49-BBF8-663017A3612A}' },
  source: { name: 'Pixdock (source)', id: 'org.pixdock.desktop.source', activator: '{AE246345-DAB9-4A28-B1F7-BF0B91A86DB6}' },
};

type WindowsApp = Pick<App, 'getPath' | 'once' | 'setAppUserModelId' | 'setName' | 'setPath' | 'setToastActivatorCLSID'>;

/**
 * Windows shows notifications only from apps with a shortcut in the Start menu. With the first one, Electron therefore writes a shortcut to the
 * running program, under the app's name: other copies need another name, or they would replace the installed app's. Theirs is removed
 * when they quit, since it leads to a temporary folder, or to Electron without an app; so is the program that a click on an old notification
 * starts.
 * @platform win32
 */
export function identifyOnWindows(app: WindowsApp, edition: Edition, removeKey = removeRegistryKey): void {
  const { name, id, activator } = IDENTITIES[edition];
  app.setAppUserModelId(id);
  app.setToastActivatorCLSID(activator);
  if (edition === 'installed') return;
  // Otherwise Electron would name the folder of the app's data after it.
  app.setPath('userData', app.getPath('userData'));
  app.setName(name);
  // Electron registers it with the first notification.
  const registration = `HKCU\\Software\\Classes\\CLSID\\${activator}`;
  const shortcut = join(app.getPath('appData'), 'Microsoft/Windows/Start Menu/Programs', `${name}.lnk`);
  app.once('quit', () => {
    rmSync(shortcut, { force: true });
    removeKey(registration);
  });
}

/** Waits, since the app is about to exit. A key that was never made is no fault. */
function removeRegistryKey(key: string) {
  const { error } = spawnSync(windowsTool('reg.exe'), ['delete', key, '/f'], { windowsHide: true, timeout: REMOVAL_LIMIT_MS });
  if (error) console.error(`Couldn’t remove ${key} from the registry:`, error);
}
