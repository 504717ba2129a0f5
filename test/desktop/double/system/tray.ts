import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { NativeImage } from 'electron';
import { requireReady } from '#test/desktop/double/machine.ts';
import { nothing } from '#test/desktop/double/nothing.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { foreground } from '#test/desktop/double/windows/foreground.ts';
import { Menu } from './menu.ts';
import { hostilePanel, type Panel } from './panel.ts';

/** Milliseconds. */
const LATE = 700;

/** Icons that the panel has shown. */
let shown = 0;
let hasRestarted = false;

type Doubled = 'setContextMenu' | 'popUpContextMenu' | 'closeContextMenu' | 'setImage' | 'setToolTip' | 'isDestroyed' | 'destroy';

/** An icon without a tray: tests wrap its setters to see what it shows, and play the user. */
export class Tray extends EventEmitter implements Record<Doubled, unknown> {
  image: NativeImage | string;
  menu: Menu | null = null;
  toolTip = '';
  /** The menu that the user sees. */
  #shown: Menu | undefined;
  #destroyed = false;

  constructor(image: NativeImage | string) {
    super();
    requireReady('Cannot create Tray before app is ready');
    requireImage(image);
    this.image = image;
    const panel = hostilePanel();
    if (panel) this.#appear(panel).catch((error: unknown) => console.error('electron double: the icon has no panel:', error));
  }

  /** How often an icon came to the panel. */
  static timesShown() {
    return shown;
  }

  /** Like Chromium, tries only once. */
  async #appear(panel: Panel) {
    if (isHostile('tray-never')) return;
    const wasThere = panel.isThere();
    if (wasThere && isHostile('tray-late')) await delay(LATE);
    if (wasThere && !this.#destroyed && panel.add(`${panel.ownName}/StatusNotifierItem`)) shown += 1;
    if (!wasThere) await delay(LATE).then(() => panel.come());
    else if (isHostile('tray-restarts') && !hasRestarted) {
      hasRestarted = true;
      await delay(LATE).then(panel.leave);
      await delay(LATE).then(() => panel.come());
    }
  }

  /** On macOS, the new menu takes the place of the one that the user has open, which closes. */
  setContextMenu(menu: Menu | null) {
    this.#requireAlive();
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Must pass Menu or null');
    const isReplaced = process.platform === 'darwin' && this.#shown !== undefined && this.#shown === this.menu;
    if (isReplaced) this.#close();
    this.menu = menu;
  }

  /** Linux has none. */
  popUpContextMenu(menu: Menu | undefined = this.menu ?? undefined) {
    this.#requireAlive();
    if (process.platform === 'linux' || !menu) return;
    if (!(menu instanceof Menu)) throw new TypeError('Error processing argument at index 0, conversion failure');
    setImmediate(() => this.#open(menu));
  }

  closeContextMenu() {
    this.#requireAlive();
    this.#close();
  }

  readonly setIgnoreDoubleClickEvents = nothing;

  /** The user clicks the icon. Desktops of Linux show the menu themselves. */
  press(button: 'left' | 'right' = 'left') {
    foreground.come();
    const isMac = process.platform === 'darwin';
    const opensMenu = this.menu !== null && (isMac ? button === 'left' : button === 'right');
    if (button === 'left') this.emit('click', {}, {}, {});
    else if (isMac || !opensMenu) this.emit('right-click', {}, {});
    if (opensMenu && this.menu) this.#open(this.menu);
  }

  /** The menu that the user sees. */
  shownMenu(): Menu | undefined {
    return this.#shown;
  }

  /** The user opens a submenu, then leaves it. On macOS, its menu reports that as its own end, and not the end that follows. */
  visitSubmenu() {
    if (process.platform !== 'darwin') return;
    this.#shown?.emit('menu-will-show');
    this.#shown?.emit('menu-will-close');
  }

  /** The user chooses an item of the menu, which closes. */
  choose(label: string) {
    const item = this.#shown?.items.find((candidate) => candidate.label === label);
    if (!item) throw new Error(`electron double: no open menu of the icon has "${label}"`);
    this.#close();
    item.press();
  }

  /** Panels of Linux report neither. */
  #open(menu: Menu) {
    this.#shown = menu;
    if (process.platform !== 'linux') menu.open();
  }

  #close() {
    this.#shown?.close();
    this.#shown = undefined;
  }

  setImage(image: NativeImage | string) {
    this.#requireAlive();
    requireImage(image);
    this.image = image;
  }

  setToolTip(toolTip: string) {
    this.#requireAlive();
    this.toolTip = toolTip;
  }

  isDestroyed() {
    return this.#destroyed;
  }

  destroy() {
    if (!this.#destroyed) this.#close();
    this.#destroyed = true;
  }

  #requireAlive() {
    if (this.#destroyed) throw new Error('Tray is destroyed');
  }
}

function requireImage(image: NativeImage | string) {
  if (typeof image === 'string' && !existsSync(image)) throw new Error(`Failed to load image from path '${image}'`);
}
