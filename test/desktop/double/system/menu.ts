import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, Menu as RealMenu, MenuItem as RealMenuItem } from 'electron';

type DoubledItem = 'label' | 'type' | 'enabled' | 'visible' | 'checked' | 'id';

export class MenuItem implements Pick<RealMenuItem, DoubledItem> {
  readonly id: string;
  readonly label: string;
  readonly type: RealMenuItem['type'];
  readonly enabled: boolean;
  readonly visible: boolean;
  readonly submenu: Menu | undefined;
  readonly icon: MenuItemConstructorOptions['icon'];
  checked: boolean;
  /** A click: updates the check or radio mark, then calls the app. */
  readonly click: () => void;

  constructor(options: MenuItemConstructorOptions) {
    this.id = options.id ?? '';
    this.label = options.label ?? options.role ?? '';
    this.type = options.type ?? (options.submenu ? 'submenu' : 'normal');
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.icon = options.icon;
    this.submenu = Array.isArray(options.submenu) ? Menu.buildFromTemplate(options.submenu) : undefined;
    this.click = () => {
      if (!this.enabled) throw new Error(`The menu item "${this.label}" is disabled`);
      if (this.type === 'checkbox') this.checked = !this.checked;
      if (this.type === 'radio') this.checked = true;
      options.click?.(this as unknown as RealMenuItem, undefined, {} as Electron.KeyboardEvent);
    };
  }
}

export class Menu extends EventEmitter implements Pick<RealMenu, 'popup'> {
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]) {
    const menu = new Menu();
    menu.items.push(...template.map((options) => new MenuItem(options)));
    return menu;
  }

  static #application: Menu | null = null;

  static setApplicationMenu(menu: Menu | null) {
    Menu.#application = menu;
  }

  static getApplicationMenu() {
    return Menu.#application;
  }

  /** Tests replace it, to see what the menu offers. */
  popup() {
    this.emit('menu-will-show');
  }
}
