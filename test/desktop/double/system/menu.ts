import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, PopupOptions, MenuItem as RealMenuItem } from 'electron';
import { BrowserWindow } from '#test/desktop/double/windows/browser-window.ts';
import { foreground } from '#test/desktop/double/windows/foreground.ts';

type DoubledItem = 'label' | 'type' | 'enabled' | 'visible' | 'checked' | 'id' | 'commandId';
type Options = MenuItemConstructorOptions;
type ItemType = NonNullable<Options['type']>;

const TYPES: readonly ItemType[] = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];
let lastCommand = 0;

/** An item without its roles, which belong to the system. */
export class MenuItem implements Pick<RealMenuItem, DoubledItem> {
  declare readonly id: string;
  declare readonly type: ItemType;
  declare readonly role: Options['role'] | null;
  declare readonly submenu: Menu | null;
  declare readonly commandId: number;
  declare readonly accelerator: string | null;
  declare label: string;
  declare enabled: boolean;
  declare visible: boolean;
  declare checked: boolean;
  declare icon: Options['icon'] | null;
  /** The menu that it is in. */
  menu: Menu | undefined;
  /** What Electron calls on a click: updates the check or radio mark, then calls the app. */
  readonly click: (event?: unknown, window?: unknown) => void;

  constructor(options: Options) {
    const submenu = Array.isArray(options.submenu)
      ? Menu.buildFromTemplate(options.submenu)
      : ((options.submenu as Menu | undefined) ?? null);
    const type = options.type ?? (submenu ? 'submenu' : 'normal');
    if (type === 'submenu' && !(submenu instanceof Menu)) throw new Error('Invalid submenu');
    if (!TYPES.includes(type)) throw new Error(`Unknown menu item type: ${type}`);
    lastCommand += 1;
    // Whatever else an app gives an item stays on it.
    const { click, ...others } = options;
    const fixed = { type, role: options.role ?? null, accelerator: options.accelerator ?? null, submenu, commandId: lastCommand };
    Object.assign(this, { icon: null, sublabel: '', toolTip: '', enabled: true, visible: true, checked: false, ...others });
    this.label = options.label ?? options.role ?? '';
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    for (const [name, value] of Object.entries(fixed)) Object.defineProperty(this, name, { value, enumerable: true, writable: false });
    this.click = (event, window) => {
      if (this.type === 'checkbox' || this.type === 'radio') this.checked = !this.checked;
      click?.(this as unknown as RealMenuItem, window as never, (event ?? {}) as never);
    };
  }

  /** Plays the user's click, which only enabled items take. */
  press(event: Partial<Electron.KeyboardEvent> = {}): void {
    if (!this.enabled) throw new Error(`The menu item "${this.label}" is disabled`);
    foreground.come();
    this.click(event);
  }
}

type Doubled = 'popup' | 'closePopup' | 'append' | 'insert' | 'getMenuItemById';

export class Menu extends EventEmitter implements Record<Doubled, unknown> {
  readonly items: MenuItem[] = [];
  #isOpen = false;

  static buildFromTemplate(template: readonly (Options | MenuItem)[]) {
    if (!Array.isArray(template)) throw new TypeError('Invalid template for Menu: Menu template must be an array');
    if (!template.every(isTemplate)) throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    const menu = new Menu();
    for (const options of withoutSpareSeparators(template)) menu.append(options instanceof MenuItem ? options : new MenuItem(options));
    return menu;
  }

  static #application: Menu | null = null;

  static setApplicationMenu(menu: Menu | null) {
    if (menu && menu.constructor !== Menu) throw new TypeError('Invalid menu');
    Menu.#application = menu;
  }

  static getApplicationMenu() {
    return Menu.#application;
  }

  append(item: MenuItem) {
    this.insert(this.items.length, item);
  }

  insert(place: number, item: MenuItem) {
    if (!(item instanceof MenuItem)) throw new TypeError('Invalid item');
    if (place < 0) throw new RangeError(`Position ${place} cannot be less than 0`);
    if (place > this.items.length) throw new RangeError(`Position ${place} cannot be greater than the total MenuItem count`);
    item.menu = this;
    this.items.splice(place, 0, item);
    if (item.type === 'radio') this.#share(item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }

  /** Marking one radio item unmarks the others between the same two separators. */
  #share(item: MenuItem) {
    let isChecked = item.checked;
    Object.defineProperty(item, 'checked', {
      enumerable: true,
      configurable: true,
      get: () => isChecked,
      set: () => {
        for (const other of this.#groupOf(item)) if (other !== item) unmark(other);
        isChecked = true;
      },
    });
    unmarks.set(item, () => {
      isChecked = false;
    });
  }

  #groupOf(item: MenuItem): MenuItem[] {
    const place = this.items.indexOf(item);
    const isBorder = ({ type }: MenuItem) => type === 'separator';
    const start = this.items.slice(0, place).findLastIndex(isBorder) + 1;
    const end = this.items.findIndex((other, index) => index > place && isBorder(other));
    return this.items.slice(start, end < 0 ? undefined : end).filter(({ type }) => type === 'radio');
  }

  /** Whether the user sees it. */
  isOpen() {
    return this.#isOpen;
  }

  /** The system shows it, with one radio item marked in each group. */
  open() {
    this.#isOpen = true;
    for (const item of this.items) {
      const group = item.type === 'radio' ? this.#groupOf(item) : [];
      if (group[0] === item && !group.some(({ checked }) => checked)) item.checked = true;
    }
    this.emit('menu-will-show');
  }

  /** The system, or the user, closes it. */
  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.emit('menu-will-close');
  }

  /** Tests replace it, to see what the menu offers. */
  popup(options: PopupOptions = {}) {
    if (options === null || typeof options !== 'object') throw new TypeError('Options must be an object');
    const { window, callback, x = -1, y = -1, positioningItem = -1 } = options;
    const windows: readonly unknown[] = BrowserWindow.getAllWindows();
    const place = windows.includes(window) ? window : (BrowserWindow.getFocusedWindow() ?? windows[0]);
    if (!place) throw new Error('Cannot open Menu without a BaseWindow present');
    if (callback) this.once('menu-will-close', callback);
    this.open();
    return { browserWindow: place, x, y, position: positioningItem };
  }

  closePopup() {
    this.close();
  }
}

const unmarks = new WeakMap<MenuItem, () => void>();
const unmark = (item: MenuItem) => unmarks.get(item)?.();

function isTemplate(item: unknown): boolean {
  if (item === null || typeof item !== 'object') return false;
  return Object.hasOwn(item, 'label') || Object.hasOwn(item, 'role') || (item as Options).type === 'separator';
}

/** Two in a row are one, and none is first or last. */
function withoutSpareSeparators(template: readonly (Options | MenuItem)[]) {
  const isSeparator = (item: Options | MenuItem | undefined) => item?.type === 'separator' && item.visible !== false;
  const single = template.filter((item, index) => !isSeparator(item) || index === 0 || template[index - 1]?.type !== 'separator');
  return single.filter((item, index) => !isSeparator(item) || (index !== 0 && index !== single.length - 1));
}
