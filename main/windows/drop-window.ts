import { type BrowserWindow, screen } from 'electron';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Ipc, PageKind } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { bringToFront, openPage, openWindow, whenPresentable } from './open-window.ts';
import { isPackagedPage } from './pages.ts';
import { windowPlace } from './window-place.ts';

/** Device-independent pixels. */
const SIZE = { width: 240, height: 240 };
const MIN_SIZE = { minWidth: 200, minHeight: 200 };
const MARGIN = 24;

interface Options {
  ipc: Ipc;
  paths: Pick<AppPaths, 'preload' | 'dropPage' | 'icon'>;
  preferences: PreferenceStore;
  texts(): Texts;
  /** True once the app is quitting. */
  quitting(): boolean;
  /** Called instead of opening the window while the app is quitting. */
  startAgain(): void;
}

export interface DropWindow {
  /** Opens it where it was, or brings it to the front. */
  show(): void;
}

/** A small window above all others that uploads what is dropped on it. It exists only while it is shown. */
export function createDropWindow({ ipc, paths, preferences, texts, quitting, startAgain }: Options): DropWindow {
  let open: BrowserWindow | undefined;
  const pageKind = (url: string): PageKind => (isPackagedPage(url, paths.dropPage) ? 'drop' : null);

  function create() {
    const window = openWindow({
      paths,
      pageKind,
      texts,
      ...place(preferences),
      ...MIN_SIZE,
      alwaysOnTop: true,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      title: texts().dropWindow,
    });
    whenPresentable(window, () => bringToFront(window));
    window.on('close', () => preferences.rememberWindow({ ...window.getNormalBounds(), maximized: false }, 'drop'));
    window.on('closed', () => {
      open = undefined;
    });
    openPage(window, paths.dropPage).catch((error: unknown) => console.error('Couldn’t open the drop window:', error));
    return window;
  }

  ipc.addWindow({ windows: () => [open], pages: ['drop'], pageKind });
  ipc.handle({ closeDropWindow: () => void open?.close() });
  return {
    show() {
      if (quitting()) startAgain();
      else if (open) bringToFront(open);
      else open = create();
    },
  };
}

/** Where it was; at first in the lower right corner of the main screen. */
function place(preferences: PreferenceStore) {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { x, y, width, height } = screen.getPrimaryDisplay().workArea;
  const corner = { x: x + width - SIZE.width - MARGIN, y: y + height - SIZE.height - MARGIN, ...SIZE };
  return windowPlace(preferences.windowState('drop'), screens, corner);
}
