import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Texts } from '#main/texts/en.ts';

export interface MenuActions {
  /** Undefined until the app can upload. */
  uploadFiles: (() => void) | undefined;
  openLogFolder(): void;
  quit(): void;
}

/** The application menu. On macOS it is at the top of the screen; elsewhere it is hidden until Alt, and its shortcuts always work. */
export function appMenu(texts: Texts, actions: MenuActions, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const separator = { type: 'separator' } as const;
  const file: MenuItemConstructorOptions[] = [
    ...(actions.uploadFiles
      ? [{ label: texts.uploadFiles, accelerator: 'CommandOrControl+O', click: actions.uploadFiles }, separator]
      : []),
    { role: 'close', label: texts.closeWindow },
    ...(isMac ? [] : [{ label: texts.quit, accelerator: 'CommandOrControl+Q', click: actions.quit }]),
  ];
  const edit: MenuItemConstructorOptions[] = [
    { role: 'undo', label: texts.undo },
    { role: 'redo', label: texts.redo },
    separator,
    { role: 'cut', label: texts.cut },
    { role: 'copy', label: texts.copy },
    { role: 'paste', label: texts.paste },
    { role: 'selectAll', label: texts.selectAll },
  ];
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload', label: texts.reload },
    separator,
    { role: 'resetZoom', label: texts.actualSize },
    { role: 'zoomIn', label: texts.zoomIn },
    // The same key without Shift, on keyboards where the plus sign needs it.
    { role: 'zoomIn', label: texts.zoomIn, accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut', label: texts.zoomOut },
    separator,
    { role: 'togglefullscreen', label: texts.fullScreen },
  ];
  return [
    ...(isMac ? [{ role: 'appMenu', submenu: macAppItems(texts) } as const] : []),
    { label: texts.menuFile, submenu: file },
    { label: texts.menuEdit, submenu: edit },
    { label: texts.menuView, submenu: view },
    ...(isMac ? [{ role: 'windowMenu', label: texts.menuWindow, submenu: macWindowItems(texts) } as const] : []),
    { role: 'help', label: texts.menuHelp, submenu: [{ label: texts.openLogFolder, click: actions.openLogFolder }] },
  ];
}

// Electron's own items for these menus are in English, whatever the language.

function macAppItems(texts: Texts): MenuItemConstructorOptions[] {
  return [
    { role: 'about', label: texts.about },
    { type: 'separator' },
    { role: 'services', label: texts.services },
    { type: 'separator' },
    { role: 'hide', label: texts.hide },
    { role: 'hideOthers', label: texts.hideOthers },
    { role: 'unhide', label: texts.showAll },
    { type: 'separator' },
    { role: 'quit', label: texts.quit },
  ];
}

function macWindowItems(texts: Texts): MenuItemConstructorOptions[] {
  return [
    { role: 'minimize', label: texts.minimize },
    { role: 'zoom', label: texts.zoomWindow },
    { type: 'separator' },
    { role: 'front', label: texts.bringToFront },
  ];
}

interface Options {
  texts(): Texts;
  actions: Omit<MenuActions, 'uploadFiles'>;
  /** Calls back when the language may have changed. */
  onChange(listener: () => void): void;
}

/**
 * Sets the application menu, in the chosen language. Call it before there is a window, which would have Electron's own menu. Returns a function
 * that adds what the app can do from then on.
 */
export function setupAppMenu({ texts, actions, onChange }: Options): (uploadFiles: () => void) => void {
  let shown: Texts | undefined;
  let uploadFiles: MenuActions['uploadFiles'];
  function apply() {
    if (shown === texts()) return;
    shown = texts();
    Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(shown, { ...actions, uploadFiles }, process.platform)));
  }
  onChange(apply);
  apply();
  return (upload) => {
    uploadFiles = upload;
    shown = undefined;
    apply();
  };
}
