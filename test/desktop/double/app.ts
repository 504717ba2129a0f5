import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, FocusOptions, LoginItemSettings, RelaunchOptions, Settings } from 'electron';
import { takeLock } from '#test/desktop/double/processes/single-instance.ts';
import { endUtilityProcesses } from '#test/desktop/double/processes/utility-process.ts';
import { BrowserWindow, windowEvents } from '#test/desktop/double/windows/browser-window.ts';
import { stopChromium } from '#test/desktop/double/windows/chromium.ts';
import { foreground } from '#test/desktop/double/windows/foreground.ts';
import { DoubleEvent } from './event.ts';
import { appInfo, finishStart, locale, userDataFolder } from './machine.ts';
import { nothing } from './nothing.ts';
import { isHostile } from './traits.ts';

type Doubled =
  | 'isPackaged'
  | 'name'
  | 'isReady'
  | 'whenReady'
  | 'getName'
  | 'getVersion'
  | 'getAppPath'
  | 'getLocale'
  | 'getPath'
  | 'setAppUserModelId'
  | 'getLoginItemSettings'
  | 'setLoginItemSettings'
  | 'focus'
  | 'requestSingleInstanceLock'
  | 'quit'
  | 'relaunch'
  | 'exit';

/** Milliseconds that a slow exit takes. */
const SLOW_EXIT = 500;

class DoubleApp extends EventEmitter implements Pick<App, Doubled> {
  /** Playwright adds switches; the double's Chromium has its own. */
  readonly commandLine = { appendSwitch: nothing, hasSwitch: () => false, getSwitchValue: () => '' };
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #opensAtLogin = false;
  #quitting = false;
  #ending = false;

  get name() {
    return appInfo().name;
  }

  get isPackaged() {
    return appInfo().isPackaged;
  }

  isReady() {
    return this.#isReady;
  }

  whenReady() {
    return this.#ready.promise;
  }

  /** Called once Chromium runs. */
  becomeReady() {
    this.#isReady = true;
    finishStart();
    this.emit('ready', {}, {});
    this.#ready.resolve();
  }

  getName() {
    return appInfo().name;
  }

  getVersion() {
    return appInfo().version;
  }

  getAppPath() {
    return appInfo().root;
  }

  getLocale() {
    return locale();
  }

  getPath(name: Parameters<App['getPath']>[0]) {
    if (name === 'exe') return process.execPath;
    if (name === 'home') return homedir();
    if (name === 'temp') return tmpdir();
    const folder = name === 'userData' || name === 'sessionData' ? userDataFolder() : join(userDataFolder(), name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  readonly setAppUserModelId = nothing;

  /** ELECTRON_DOUBLE_AT_LOGIN: the system has started the app, which is known only once it is ready. */
  getLoginItemSettings(): LoginItemSettings {
    return {
      openAtLogin: this.#opensAtLogin,
      wasOpenedAtLogin: this.#isReady && process.env.ELECTRON_DOUBLE_AT_LOGIN === '1',
      status: this.#opensAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: this.#opensAtLogin,
      launchItems: [],
    };
  }

  /** The system registers packages only. Electron logs a refusal and reports nothing. */
  setLoginItemSettings({ openAtLogin = false }: Settings) {
    if (this.isPackaged) this.#opensAtLogin = openAtLogin;
    else console.error('electron double: the system refuses to start the app at login');
  }

  /** On macOS, `steal` brings the app in front of the one that the user works with. */
  focus({ steal = false }: Partial<FocusOptions> = {}) {
    if (steal && process.platform === 'darwin') foreground.come();
    BrowserWindow.getAllWindows()
      .find((window) => window.isVisible())
      ?.focus();
  }

  #hidden = false;
  /** Only macOS has these. */
  readonly hide =
    process.platform === 'darwin'
      ? () => {
          this.#hidden = true;
          foreground.leave();
        }
      : undefined;
  readonly isHidden = process.platform === 'darwin' ? () => this.#hidden : undefined;
  readonly show =
    process.platform === 'darwin'
      ? () => {
          this.#hidden = false;
        }
      : undefined;

  /** Otherwise tests start the app again themselves. */
  relaunch({ execPath = program(), args = process.argv.slice(1) }: RelaunchOptions = {}) {
    if (isHostile('relaunches')) process.on('exit', () => void spawn(execPath, args, { detached: true, stdio: 'ignore' }).unref());
  }

  requestSingleInstanceLock() {
    return takeLock(userDataFolder(), ({ argv, workingDirectory }) => {
      foreground.come();
      this.emit('second-instance', new DoubleEvent(), argv, workingDirectory, null);
    });
  }

  /** In Electron's order: before-quit, each window's close, will-quit; any of them may refuse. */
  quit() {
    if (this.#quitting || this.#ending || this.#refuses('before-quit')) return;
    this.#quitting = true;
    const windows = BrowserWindow.getAllWindows();
    if (windows.length === 0) this.#shutDown();
    for (const window of windows) window.close();
  }

  /** A window stays open, so the app does, too. */
  stay() {
    this.#quitting = false;
  }

  windowsAreClosed() {
    if (this.#quitting) this.#shutDown();
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  #shutDown() {
    if (this.#refuses('will-quit')) this.#quitting = false;
    else this.exit(0);
  }

  #refuses(name: 'before-quit' | 'will-quit') {
    const event = new DoubleEvent();
    this.emit(name, event);
    return event.defaultPrevented;
  }

  exit(code = 0) {
    if (this.#ending) return;
    this.#ending = true;
    this.emit('quit', new DoubleEvent(), code);
    endUtilityProcesses();
    const isSlow = this.#isReady && isHostile('slow-quit');
    void stopChromium().finally(() => (isSlow ? setTimeout(() => process.exit(code), SLOW_EXIT) : process.exit(code)));
  }
}

/** The program that plays Electron. */
function program() {
  const resources = process.env.ELECTRON_DOUBLE_PACKAGE;
  return resources ? join(resources, '../pixdock-desktop') : join(import.meta.dirname, 'program/electron');
}

export const app = new DoubleApp();
windowEvents.on('all-closed', () => app.windowsAreClosed());
windowEvents.on('stays-open', () => app.stay());
