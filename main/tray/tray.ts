import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Menu, type NativeImage, nativeImage, Tray } from 'electron';
import type { Texts } from '#main/texts/en.ts';
import { createDrawing, createMenuPlace } from './drawing.ts';
import { TRAY_IMAGES, type TrayImage, trayImage, trayTooltip } from './icon-and-tooltip.ts';
import { type TrayActions, trayMenu } from './tray-menu.ts';
import type { createTrayStore } from './tray-state.ts';

interface Options {
  /** The folder with the icon for each state. */
  images: string;
  store: ReturnType<typeof createTrayStore>;
  texts(): Texts;
  actions: TrayActions;
  /** Called when the pointer approaches the menu: time to refresh its contents. */
  onApproach(): void;
  /** Subscribes to times when the desktop has lost the icon. */
  onMissing(listener: () => void): void;
}

/** The tray icon and its menu. */
export function setupTray({ images, store, texts, actions, onApproach, onMissing }: Options) {
  const load = (name: string) => nativeImage.createFromPath(join(images, `${name}${process.platform === 'darwin' ? 'Template' : ''}.png`));
  const icons = Object.fromEntries(TRAY_IMAGES.map((name) => [name, load(name)])) as Record<TrayImage, NativeImage>;

  function open() {
    const tray = new Tray(icons.idle);
    tray.on('click', () => {
      if (process.platform !== 'darwin') actions.click();
    });
    tray.on('mouse-enter', onApproach);
    tray.on('drop-files', (_event, paths) => actions.uploadDropped(paths)); // macOS only
    const shown: unknown = undefined;
    return { tray, shown, setMenu: createMenuPlace((menu) => !tray.isDestroyed() && tray.setContextMenu(menu)) };
  }

  function draw({ state, texts }: ReturnType<typeof now>) {
    const { tray, setMenu } = icon;
    if (tray.isDestroyed()) return;
    tray.setImage(icons[trayImage(state)]);
    tray.setToolTip(trayTooltip(state, texts));
    // Its progress is in the tooltip only.
    const shown = { texts, state: { ...state, uploads: { ...state.uploads, percent: undefined } } };
    if (isDeepStrictEqual(shown, icon.shown)) return;
    icon.shown = shown;
    setMenu(Menu.buildFromTemplate(trayMenu(state, texts, actions)));
  }

  const now = () => ({ state: store.state(), texts: texts() });
  let icon = open();
  const redraw = createDrawing(now, draw);
  store.onChange(redraw);
  onMissing(() => {
    icon.tray.destroy();
    icon = open();
    draw(now());
  });
}
