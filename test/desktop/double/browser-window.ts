import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BaseWindow, BrowserWindowConstructorOptions, BrowserWindow as Real, Rectangle } from 'electron';
import { DoubleEvent } from './event.ts';
import { appInfo } from './machine.ts';
import { DoubleWebContents } from './web-contents.ts';

type Doubled =
  | 'id'
  | 'loadURL'
  | 'loadFile'
  | 'show'
  | 'showInactive'
  | 'isFullScreen'
  | 'setFullScreen'
  | 'hide'
  | 'focus'
  | 'blur'
  | 'minimize'
  | 'restore'
  | 'maximize'
  | 'isVisible'
  | 'isFocused'
  | 'isMinimized'
  | 'isMaximized'
  | 'isAlwaysOnTop'
  | 'isDestroyed'
  | 'close'
  | 'destroy'
  | 'getTitle'
  | 'getBounds'
  | 'setBounds'
  | 'getNormalBounds';

const open: BrowserWindow[] = [];
const watchers: (() => void)[] = [];

/** An invisible window: its page is real, the rest is only recorded. */
export class BrowserWindow extends EventEmitter implements Pick<Real & BaseWindow, Doubled> {
  readonly id = open.push(this);
  readonly webContents: DoubleWebContents;
  readonly #title: string;
  readonly #alwaysOnTop: boolean;
  #bounds: Rectangle;
  #visible: boolean;
  #focused = false;
  #minimized = false;
  #maximized = false;
  #fullScreen = false;
  #destroyed = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    const { nodeIntegration, contextIsolation, sandbox, preload } = options.webPreferences ?? {};
    if (nodeIntegration || contextIsolation === false || sandbox === false)
      throw new Error('electron double: only isolated, sandboxed windows');
    this.#title = options.title ?? appInfo().name;
    this.#alwaysOnTop = options.alwaysOnTop ?? false;
    this.#visible = options.show !== false;
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.webContents = new DoubleWebContents(preload);
    const { width, height } = this.#bounds;
    const screen = { screenWidth: width, screenHeight: height };
    const metrics = { width, height, ...screen, deviceScaleFactor: 1, mobile: false };
    this.webContents.ready.then((page) => page.send('Emulation.setDeviceMetricsOverride', metrics)).catch(() => undefined);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show', new DoubleEvent()));
  }

  static getAllWindows() {
    return open.filter((window) => !window.#destroyed);
  }

  static getFocusedWindow() {
    return open.find((window) => window.#focused) ?? null;
  }

  static fromWebContents(contents: unknown) {
    return open.find((window) => window.webContents === contents) ?? null;
  }

  /** For the app's `window-all-closed`. */
  static onAllClosed(watcher: () => void) {
    watchers.push(watcher);
  }

  loadURL(url: string) {
    return this.webContents.load(url);
  }

  loadFile(file: string) {
    return this.webContents.load(pathToFileURL(resolve(appInfo().root, file)).href);
  }

  show() {
    this.#visible = true;
    this.emit('show');
    this.focus();
  }

  showInactive() {
    this.#visible = true;
    this.emit('show');
  }

  isFullScreen() {
    return this.#fullScreen;
  }

  setFullScreen(full: boolean) {
    this.#fullScreen = full;
    // The system's animation takes a moment.
    setImmediate(() => this.emit(full ? 'enter-full-screen' : 'leave-full-screen'));
  }

  hide() {
    this.#visible = false;
    this.emit('hide');
    this.blur();
  }

  focus() {
    for (const window of open) window.#focused = false;
    this.#focused = true;
    this.emit('focus');
  }

  blur() {
    if (!this.#focused) return;
    this.#focused = false;
    this.emit('blur');
  }

  minimize() {
    this.#minimized = true;
    this.emit('minimize');
  }

  restore() {
    this.#minimized = false;
    this.emit('restore');
  }

  /** Shows the window, too. */
  maximize() {
    this.#maximized = true;
    this.#visible = true;
    this.emit('maximize');
  }

  isVisible() {
    return this.#visible;
  }

  isFocused() {
    return this.#focused;
  }

  isMinimized() {
    return this.#minimized;
  }

  isMaximized() {
    return this.#maximized;
  }

  isAlwaysOnTop() {
    return this.#alwaysOnTop;
  }

  isDestroyed() {
    return this.#destroyed;
  }

  close() {
    if (this.#destroyed) return;
    const event = new DoubleEvent();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }

  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#visible = false;
    this.#focused = false;
    this.webContents.destroy();
    this.emit('closed');
    if (BrowserWindow.getAllWindows().length === 0) for (const watcher of watchers) watcher();
  }

  getTitle() {
    return this.#title;
  }

  getBounds() {
    return { ...this.#bounds };
  }

  getNormalBounds() {
    return { ...this.#bounds };
  }

  setBounds(bounds: Partial<Rectangle>) {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('resize');
  }
}
