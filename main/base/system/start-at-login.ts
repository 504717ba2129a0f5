import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { App, LoginItemSettings } from 'electron';
import type { StartAtLoginState } from '#api/desktop/startup.ts';
import { Reason } from '#main/base/reasons.ts';
import { isMissing } from '#server/platform/files/missing.ts';

/** Whether the system starts the app, hidden, when the user signs in. */
export interface StartAtLogin {
  state(): StartAtLoginState;
  /** @throws the system's error when it can't be changed, and Reason `startAtLoginRefused` when it hasn't been and the system doesn't say why */
  set(on: boolean): void;
  onChange(listener: () => void): void;
}

/** Whether the user has turned it on, even if the system doesn't allow it yet. */
export const isTurnedOn = (state: StartAtLoginState): boolean => state === 'on' || state === 'blocked';

/** Starts the app without a window. */
export const HIDDEN = '--hidden';

interface Options {
  platform: NodeJS.Platform;
  app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  /** The program and its own arguments. */
  command: readonly [string, ...string[]];
  /** Absolute path of the desktop file that Linux desktops start. */
  autostartFile: string;
}

/** Uses the system's own list of programs: the user can change it there, too. */
export function createStartAtLogin(options: Options): StartAtLogin {
  const events = new EventEmitter<{ change: [] }>();
  const { state, set } = systemList(options);
  return {
    state,
    set(on) {
      set(on);
      events.emit('change');
      if (isTurnedOn(state()) !== on) throw new Reason('startAtLoginRefused');
    },
    onChange: (listener) => void events.on('change', listener),
  };
}

type SystemList = Pick<StartAtLogin, 'state' | 'set'>;

function systemList({ platform, app, command, autostartFile }: Options): SystemList {
  if (platform === 'linux') return onLinux(command, autostartFile);
  // macOS would start the program of Electron, which it can't tell to run this app.
  if (platform === 'darwin' && !app.isPackaged) return { state: () => 'unavailable', set: () => undefined };
  const [path, ...args] = command;
  // macOS starts the app without arguments and says so when it asks: see `wasOpenedAtLogin`.
  const item = platform === 'win32' ? { path, args: [...args, HIDDEN] } : {};
  return {
    state: () => stateOf(app.getLoginItemSettings(item), platform),
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, ...item }),
  };
}

function stateOf({ openAtLogin, status, executableWillLaunchAtLogin }: LoginItemSettings, platform: NodeJS.Platform): StartAtLoginState {
  const isBlocked = platform === 'darwin' ? status === 'requires-approval' : openAtLogin && !executableWillLaunchAtLogin;
  if (isBlocked) return 'blocked';
  return openAtLogin ? 'on' : 'off';
}

function onLinux(command: readonly string[], file: string): SystemList {
  const write = () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, desktopFile([...command, HIDDEN]));
  };
  // The program may have been moved since, as AppImages are.
  if (isActive(file)) update(file, write);
  return {
    state: () => (isActive(file) ? 'on' : 'off'),
    set: (on) => (on ? write() : rmSync(file, { force: true })),
  };
}

/** Updates the entry and logs a failure: some systems manage these files themselves. */
function update(file: string, write: () => void) {
  try {
    write();
  } catch (error) {
    console.error(`Couldn’t update ${file}:`, error);
  }
}

/** Desktops turn a program off by an entry in its file. */
function isActive(file: string) {
  try {
    return !/^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!isMissing(error)) console.error(`Couldn’t read ${file}:`, error);
    return false;
  }
}

function desktopFile(command: readonly string[]) {
  return `[Desktop Entry]\nType=Application\nName=Pixdock\nExec=${command.map(quote).join(' ')}\nX-GNOME-Autostart-enabled=true\n`;
}

/** Quotes an argument as the Desktop Entry Specification requires: twice, since the value is a string, too. */
function quote(argument: string) {
  if (/^[\w@+=:,./-]+$/.test(argument)) return argument;
  return `"${argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
}
