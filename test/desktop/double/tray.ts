import { EventEmitter } from 'node:events';
import type { Menu, NativeImage, Tray as Real } from 'electron';

/** An icon without a tray: tests wrap its setters to see what it shows. */
export class Tray extends EventEmitter implements Pick<Real, 'setContextMenu' | 'setImage' | 'setToolTip' | 'isDestroyed' | 'destroy'> {
  image: NativeImage | string;
  menu: Menu | null = null;
  toolTip = '';
  #destroyed = false;

  constructor(image: NativeImage | string) {
    super();
    this.image = image;
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
