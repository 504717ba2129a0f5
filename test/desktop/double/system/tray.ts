import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Menu, NativeImage, Tray as Real } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';
import { hostilePanel, type Panel } from './panel.ts';

/** Milliseconds. */
const LATE = 700;

/** Icons that the panel has shown. */
let shown = 0;
let hasRestarted = false;

/** An icon without a tray: tests wrap its setters to see what it shows. */
export class Tray extends EventEmitter implements Pick<Real, 'setContextMenu' | 'setImage' | 'setToolTip' | 'isDestroyed' | 'destroy'> {
  image: NativeImage | string;
  menu: Menu | null = null;
  toolTip = '';
  #destroyed = false;

  constructor(image: NativeImage | string) {
    super();
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

  setContextMenu(menu: Menu | null) {
    this.menu = menu;
  }

  setImage(image: NativeImage | string) {
    this.image = image;
  }

  setToolTip(toolTip: string) {
    this.toolTip = toolTip;
  }

  isDestroyed() {
    return this.#destroyed;
  }

  destroy() {
    this.#destroyed = true;
  }
}
