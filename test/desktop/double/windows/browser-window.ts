import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { format } from 'node:url';
import type { BaseWindow, BrowserWindowConstructorOptions, BrowserWindow as Real, Rectangle } from 'electron';
import { DoubleEvent } from '#test/desktop/double/event.ts';
import { appInfo, requireReady } from '#test/desktop/double/machine.ts';
import { nothing } from '#test/desktop/double/nothing.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { breakDestroyed } from './destroyed.ts';
import { foreground } from './foreground.ts';
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
  | 'setAlwaysOnTop'
  | 'isDestroyed'
  | 'close'
  | 'destroy'
  | 'getTitle'
  | 'getBounds'
  | 'setBounds'
  | 'getNormalBounds'
  | 'setAspectRatio'
  | 'setOpacity'
  | 'getOpacity';

const open: BrowserWindow[] = [];

/** What the app needs to know of its windows. */
export const windowEvents = new EventEmitter<{ 'all-closed': []; 'stays-open': [] }>();

/** An invisible window: its page is real, the rest is only recorded. */
export class BrowserWindow extends EventEmitter implements Pick<Real & BaseWindow, Doubled> {
  readonly id: number;
  readonly webContents: DoubleWebContents;
  readonly #title: string;
  readonly #name: string | undefined;
  #alwaysOnTop: boolean;
  #focusable: boolean;
  #protected = false;
  #bounds: Rectangle;
  #visible: boolean;
  #focused = false;
  #minimized = false;
  #maximized = false;
  #fullScreen = false;
  #wasShown = false;
  #destroyed = false;
  #opacity = 1;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    requireReady('Cannot create BrowserWindow before app is ready');
    const { nodeIntegration, contextIsolation, sandbox, preload } = options.webPreferences ?? {};
    if (nodeIntegration || contextIsolation === false || sandbox === false)
      throw new Error('electron double: only isolated, sandboxed windows');
    const { name } = options;
    if (name && open.some((window) => !window.#destroyed && window.#name === name))
      throw new Error(`Window name '${name}' is already in use. Window names must be unique.`);
    this.id = open.push(this);
    this.#name = name;
    this.#title = options.title ?? appInfo().name;
    this.#alwaysOnTop = (options.alwaysOnTop ?? false) && !isHostile('wayland-windows');
    this.#focusable = options.focusable !== false;
    this.#visible = options.show !== false;
    this.#opacity = options.opacity ?? 1;
    this.#bounds = placed({ x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 });
    this.webContents = new DoubleWebContents(preload);
    const { width, height } = this.#bounds;
    const screen = { screenWidth: width, screenHeight: height };
    const metrics = { width, height, ...screen, deviceScaleFactor: 1, mobile: false };
    this.webContents.ready.then((page) => page.send('Emulation.setDeviceMetricsOverride', metrics)).catch(() => undefined);
    this.webContents.once('did-finish-load', () => {
      if (!isHostile('never-ready-to-show') && !this.#destroyed) this.emit('ready-to-show', new DoubleEvent());
    });
  }

  static getAllWindows() {
    return open.filter((window) => !window.#destroyed);
  }

  static getFocusedWindow() {
    return open.find((window) => window.#focused) ?? null;
  }

  static fromWebContents(contents: unknown) {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string) {
    return this.webContents.load(url);
  }

  /** As Electron does it: `%` in a path isn't encoded. */
  loadFile(file: string, { hash }: { hash?: string } = {}) {
    const address = format({
      protocol: 'file',
      slashes: true,
      pathname: resolve(appInfo().root, file),
      ...(hash !== undefined && { hash }),
    });
    return this.webContents.load(address);
  }

  show() {
    this.#appear();
    this.focus();
  }

  showInactive() {
    if (!isHostile('wayland-windows')) this.#appear();
  }

  #appear() {
    this.#wasShown = true;
    this.#visible = true;
    this.emit('show');
  }

  isFullScreen() {
    return this.#fullScreen;
  }

  /** The system's animation takes a moment. */
  setFullScreen(full: boolean) {
    setImmediate(() => {
      if (this.#destroyed || this.#fullScreen === full) return;
      this.#fullScreen = full;
      this.emit(full ? 'enter-full-screen' : 'leave-full-screen');
    });
  }

  /** In full screen, macOS leaves a black space: the user still sees it. */
  hide() {
    if (this.#fullScreen) return console.error('electron double: a window in full screen was hidden');
    this.#visible = false;
    this.emit('hide');
    this.blur();
  }

  /** A window in the background stays there while the user works with another program, unless it is kept on top. */
  focus() {
    if (!this.#focusable || (!foreground.isOurs() && !this.#alwaysOnTop)) return;
    foreground.come();
    for (const window of BrowserWindow.getAllWindows()) if (window !== this) window.blur();
    this.#focused = true;
    this.emit('focus');
  }

  /** Only macOS and Windows have this and the next two. */
  readonly setFocusable =
    process.platform === 'linux'
      ? undefined
      : (focusable: boolean) => {
          this.#focusable = focusable;
        };

  readonly setContentProtection =
    process.platform === 'linux'
      ? undefined
      : (enable: boolean) => {
          this.#protected = enable;
        };

  readonly isContentProtected = process.platform === 'linux' ? undefined : () => this.#protected;

  blur() {
    if (!this.#focused) return;
    this.#focused = false;
    this.emit('blur');
  }

  /** A window that was never shown has no place to be minimised to. */
  minimize() {
    if (!this.#wasShown || this.#fullScreen || this.#minimized) return;
    this.#minimized = true;
    if (this.#maximized && process.platform === 'linux') this.emit('unmaximize');
    this.emit('minimize');
  }

  /** Maximised again, if it was before. */
  restore() {
    const isMaximizedAgain = this.#minimized && this.#maximized;
    this.#minimized = false;
    this.#maximized = isMaximizedAgain;
    this.emit('restore');
    if (isMaximizedAgain) this.emit('maximize');
  }

  /** Shows the window, too. */
  maximize() {
    this.#minimized = false;
    this.#maximized = true;
    this.#wasShown = true;
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

  /** Not while it is minimised. */
  isMaximized() {
    return this.#maximized && !this.#minimized;
  }

  isAlwaysOnTop() {
    return this.#alwaysOnTop;
  }

  setAlwaysOnTop(flag: boolean) {
    this.#alwaysOnTop = flag && !isHostile('wayland-windows');
  }

  isDestroyed() {
    return this.#destroyed;
  }

  /** Emits `close`, then asks the page; either may refuse. */
  close() {
    if (this.#destroyed) return;
    const event = new DoubleEvent();
    this.emit('close', event);
    if (event.defaultPrevented) windowEvents.emit('stays-open');
    else void this.#closeAfterPage();
  }

  async #closeAfterPage() {
    if (await this.webContents.mayUnload()) this.destroy();
    else windowEvents.emit('stays-open');
  }

  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#visible = false;
    this.#focused = false;
    this.webContents.destroy();
    breakDestroyed(this, ['id', 'webContents']);
    this.emit('closed');
    if (BrowserWindow.getAllWindows().length === 0) windowEvents.emit('all-closed');
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

  readonly setAspectRatio = nothing;

  setOpacity(opacity: number) {
    this.#opacity = Math.min(Math.max(opacity, 0), 1);
  }

  getOpacity() {
    return this.#opacity;
  }

  setBounds(bounds: Partial<Rectangle>) {
    const { x, y, width, height } = this.#bounds;
    const placedNow = placed({ ...this.#bounds, ...bounds });
    this.#bounds = placedNow;
    if (placedNow.width !== width || placedNow.height !== height) this.emit('resize');
    if (placedNow.x !== x || placedNow.y !== y) this.emit('move');
  }
}

/** In whole pixels. Under Wayland, only the desktop knows where a window is. */
function placed(bounds: Rectangle): Rectangle {
  const rounded = {
    x: Math.round(bounds.x),
    y: Math.round(bounds.y),
    width: Math.round(bounds.width),
    height: Math.round(bounds.height),
  };
  return isHostile('wayland-windows') ? { ...rounded, x: 0, y: 0 } : rounded;
}
