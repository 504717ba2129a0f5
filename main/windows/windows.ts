import { type BrowserWindow, type ContextMenuParams, clipboard, Menu, type MenuItemConstructorOptions, screen } from 'electron';
import { joinedPart } from '#api/desktop/joining.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { TraySupport } from '#main/base/system/tray-support.ts';
import type { Ipc, PageKind } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { WindowSession } from '#main/service/window-session.ts';
import type { Texts } from '#main/texts/en.ts';
import { openPage, openWindow } from './open-window.ts';
import { type Showing, setupShowing } from './showing.ts';
import { followService } from './window-pages.ts';
import { windowPlace } from './window-place.ts';

const MIN_SIZE = { minWidth: 360, minHeight: 480 };
const SAVE_DELAY_MS = 500;

export interface MainWindow {
  /** Undefined before the window is created. */
  get(): BrowserWindow | undefined;
  /** Brings it to the front, on a page of the web application if one is given. While the app is quitting, it starts again afterwards. */
  show(page?: string): void;
}

interface Options {
  ipc: Ipc;
  paths: AppPaths;
  service: ServiceProcess;
  session: WindowSession;
  preferences: PreferenceStore;
  pageKind(url: string): PageKind;
  /** The path of the web application's first page; default: the gallery. */
  firstPage?: string | undefined;
  /** True while another Pixdock server is joined: the window then shows the packaged page about it. */
  isJoined: boolean;
  /** True once the app is quitting: the window then closes instead of hiding. */
  quitting(): boolean;
  /** Called instead of showing the window while the app is quitting. */
  startAgain(page?: string): void;
  /** Asks the user whether to quit although the page has unfinished uploads. */
  mayQuit(): boolean;
  /** Starts without showing the window, as at login. */
  hidden: boolean;
  tray: Pick<TraySupport, 'isShown' | 'appears'>;
  texts(): Texts;
  /** Called when the window has been closed without quitting; minimised where no tray could bring it back. */
  onClosed(how: 'hidden' | 'minimized'): void;
  /** Called when the window loses focus. */
  onBlur(): void;
}

/** The one window: the web application, signed in as the owner, or the status page while the service is down. */
export function setupMainWindow(options: Options): MainWindow {
  const { ipc, service, session, paths, pageKind } = options;
  const last = options.preferences.windowState();
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = openWindow({ paths, pageKind, texts: options.texts, ...windowPlace(last, workAreas), ...MIN_SIZE, title: 'Pixdock' });
  setupContextMenu(window, options.texts);
  const { hidden, tray, quitting, onClosed } = options;
  const maximized = last?.maximized ?? false;
  const showing = setupShowing(window, { maximized, hidden, tray, quitting, onClosed });
  rememberPlace(window, showing, options.preferences);

  const pages = options.isJoined
    ? showJoinedPage(window, paths, ipc)
    : followService(window, { service, session, statusPage: paths.statusPage, pageKind, firstPage: options.firstPage });

  window.webContents.on('will-prevent-unload', (event) => {
    if (options.quitting() && options.mayQuit()) event.preventDefault();
  });
  window.on('blur', options.onBlur);

  const show = (page?: string) => {
    if (quitting() || window.isDestroyed()) return options.startAgain(page);
    if (page !== undefined) pages.open(page);
    showing.show();
  };
  const get = () => (window.isDestroyed() ? undefined : window);
  ipc.addWindow({ windows: () => [get()], pages: options.isJoined ? ['joined'] : ['app', 'status'], pageKind });
  return { get, show };
}

/** Shows the uploader for the joined host. Of the web application's pages, it has its own of those that concern this computer. */
function showJoinedPage(window: BrowserWindow, { joinedPage: file }: AppPaths, ipc: Ipc): { open(page: string): void } {
  openPage(window, file).catch((error: unknown) => console.error('Couldn’t show the window’s page:', error));
  return {
    open(page) {
      const part = joinedPart.safeParse(page.split('/')[1]);
      if (part.success) ipc.tell('openPart', part.data);
    },
  };
}

/** Saves position and size shortly after the last change, since dragging changes them many times a second. */
function rememberPlace(window: BrowserWindow, showing: Showing, preferences: PreferenceStore) {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    if (!window.isDestroyed()) preferences.rememberWindow({ ...window.getNormalBounds(), maximized: showing.isMaximized() });
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', save);
}

/** What the menu does with the place that was clicked. */
interface Actions {
  copyImage(): void;
  copyText(text: string): void;
  save(address: string): void;
}

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'mediaType' | 'srcURL' | 'linkURL' | 'editFlags'>;

/** The context menu for a place in a page; empty where there is nothing to do. */
function contextMenu(clicked: Clicked, texts: Texts, actions: Actions): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, mediaType, srcURL, linkURL, editFlags } = clicked;
  const edit: MenuItemConstructorOptions[] = [
    { role: 'cut', label: texts.cut, enabled: editFlags.canCut },
    { role: 'copy', label: texts.copy, enabled: editFlags.canCopy },
    { role: 'paste', label: texts.paste, enabled: editFlags.canPaste },
    { role: 'selectAll', label: texts.selectAll, enabled: editFlags.canSelectAll },
  ];
  const image: MenuItemConstructorOptions[] = [
    { label: texts.copyPicture, click: actions.copyImage },
    { label: texts.copyPictureAddress, click: () => actions.copyText(srcURL) },
    { label: texts.savePicture, click: () => actions.save(srcURL) },
  ];
  const link: MenuItemConstructorOptions[] = [{ label: texts.copyLinkAddress, click: () => actions.copyText(linkURL) }];
  const groups = [
    isEditable ? edit : selectionText.trim() !== '' ? [{ role: 'copy', label: texts.copy } as const] : [],
    mediaType === 'image' ? image : [],
    linkURL !== '' ? link : [],
  ].filter((group) => group.length > 0);
  return groups.flatMap((group, index) => (index === 0 ? group : [{ type: 'separator' } as const, ...group]));
}

/** Shows the context menu on a right click, or on the menu key. */
function setupContextMenu(window: BrowserWindow, texts: () => Texts): void {
  const contents = window.webContents;
  contents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, texts(), {
      copyImage: () => contents.copyImageAt(clicked.x, clicked.y),
      copyText: (text) => {
        clipboard.writeText(text).catch((error: unknown) => console.error('Couldn’t write to the clipboard:', error));
      },
      save: (address) => contents.downloadURL(address),
    });
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });
}
