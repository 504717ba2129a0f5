import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { BrowserWindow } from './browser-window.ts';
import { stopChromium } from './chromium.ts';
import { DoubleEvent } from './event.ts';
import { appInfo, userDataFolder } from './machine.ts';
import { nothing } from './nothing.ts';
import { takeLock } from './single-instance.ts';
import { endUtilityProcesses } from './utility-process.ts';

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
  | 'requestSingleInstanceLock'
  | 'quit'
  | 'relaunch'
  | 'exit';

class DoubleApp extends EventEmitter implements Pick<App, Doubled> {
  /** Playwright adds switches; the double's Chromium has its own. */
  readonly commandLine = { appendSwitch: nothing, hasSwitch: () => false, getSwitchValue: () => '' };
  readonly name = appInfo().name;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #ending = false;

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
    const lang = process.argv.find((argument) => argument.startsWith('--lang='));
    return lang ? lang.slice('--lang='.length) : 'en-US';
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
  /** Tests start the app again themselves. */
  readonly relaunch = nothing;

  requestSingleInstanceLock() {
    return takeLock(userDataFolder(), ({ argv, workingDirectory }) => {
      this.emit('second-instance', new DoubleEvent(), argv, workingDirectory, undefined);
    });
  }

  /** In Electron's order: before-quit, each window's close, will-quit; any of them may refuse. */
  quit() {
    if (this.#ending) return;
    if (this.#refuses('before-quit')) return;
    for (const window of BrowserWindow.getAllWindows()) {
      window.close();
      if (!window.isDestroyed()) return;
    }
    if (!this.#refuses('will-quit')) this.exit(0);
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
    void stopChromium().finally(() => process.exit(code));
  }
}

export const app = new DoubleApp();
BrowserWindow.onAllClosed(() => {
  if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed');
  else app.quit();
});
