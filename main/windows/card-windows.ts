import { app, type BrowserWindow, type Display, type NativeImage, type Rectangle, screen } from 'electron';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Ipc, PageKind } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { bringToFront, openPage, openWindow, whenPresentable, yieldFocus } from './open-window.ts';
import { isPackagedPage } from './pages.ts';

/** Device-independent pixels; the page's style has the same height of a card. */
const SIZE = { width: 364, height: 116 };
const MARGIN = 16;

interface Options {
  ipc: Ipc;
  paths: Pick<AppPaths, 'preload' | 'cardPage' | 'icon'>;
  preferences: Pick<PreferenceStore, 'get' | 'onChange'>;
  texts(): Texts;
  platform?: NodeJS.Platform;
}

/** The windows of cards: one on each display that has some, in a corner and above all others. */
export interface CardWindows {
  /** The display on which the user works. */
  display(): string;
  /** Gives a display room for a number of cards. Resolves to whether the user can see them. */
  resize(display: string, count: number): Promise<boolean>;
  /** Gives the focus to a display's cards. */
  focus(display: string): void;
  /** Hides all cards until {@link CardWindows.reveal}, and returns whether there were any. */
  hide(): boolean;
  reveal(): void;
  /** Lets the user drag a file out of a window in which they have begun to drag. */
  startDrag(display: string, file: string, icon: NativeImage): void;
  /** Calls back when the window of a display has closed. */
  onClosed(listener: (display: string) => void): void;
}

interface Shown {
  window: BrowserWindow;
  count: number;
  isReady: boolean;
  seen: PromiseWithResolvers<boolean>;
}

export function setupCardWindows({ ipc, paths, preferences, texts, platform = process.platform }: Options): CardWindows {
  const open = new Map<string, Shown>();
  let isHidden = false;
  let tellClosed: (display: string) => void = () => undefined;
  const pageKind = (url: string): PageKind => (isPackagedPage(url, paths.cardPage) ? 'card' : null);

  function create(display: string, count: number): Shown {
    const window = openWindow({
      paths,
      pageKind,
      texts,
      ...cardPlace(displayCalled(display), preferences.get().cardCorner, count),
      frame: false,
      alwaysOnTop: true,
      skipTaskbar: true,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      // A click works without making the app the active one. On Linux, such a window could never have the focus.
      focusable: platform === 'linux',
      acceptFirstMouse: true,
      // Also above apps in full screen.
      ...(platform === 'darwin' && { type: 'panel' }),
      title: texts().cards,
    });
    const shown: Shown = { window, count, isReady: false, seen: Promise.withResolvers() };
    // Other programs don't capture it either, where the system has that.
    if (platform !== 'linux') window.setContentProtection(true);
    window.on('blur', () => {
      if (platform !== 'linux') window.setFocusable(false);
    });
    window.on('closed', () => {
      shown.seen.resolve(false);
      // Otherwise it has none any more, and another one may be there already.
      if (open.get(display) !== shown) return;
      open.delete(display);
      tellClosed(display);
    });
    whenPresentable(window, () => {
      shown.isReady = true;
      if (!isHidden) appear(shown);
    });
    openPage(window, paths.cardPage, display).catch((error: unknown) => console.error('Couldn’t open the page of cards:', error));
    return shown;
  }

  function appear({ window, seen }: Shown) {
    // It was, to give the focus back to another program.
    if (process.platform === 'darwin' && app.isHidden()) app.show();
    window.showInactive();
    seen.resolve(window.isVisible());
  }

  function place() {
    const { cardCorner } = preferences.get();
    for (const [display, { window, count }] of open) window.setBounds(cardPlace(displayCalled(display), cardCorner, count));
  }

  preferences.onChange(place);
  screen.on('display-metrics-changed', place);
  screen.on('display-removed', place);
  ipc.addWindow({ windows: () => [...open.values()].map(({ window }) => window), pages: ['card'], pageKind });

  return {
    display: () => String(screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).id),
    async resize(display, count) {
      const known = open.get(display);
      if (count === 0) {
        open.delete(display);
        const isFocused = known?.window.isFocused();
        known?.window.close();
        if (isFocused) yieldFocus();
        return false;
      }
      const shown = known ?? create(display, count);
      open.set(display, shown);
      shown.count = count;
      if (known) place();
      // It will be, once the capture is over.
      return isHidden || shown.seen.promise;
    },
    focus(display) {
      const window = open.get(display)?.window;
      if (!window) return;
      if (platform !== 'linux') window.setFocusable(true);
      bringToFront(window);
    },
    hide() {
      isHidden = true;
      const visible = [...open.values()].filter(({ window }) => window.isVisible());
      for (const { window } of visible) window.hide();
      return visible.length > 0;
    },
    reveal() {
      isHidden = false;
      for (const shown of open.values()) if (shown.isReady) appear(shown);
    },
    startDrag: (display, file, icon) => open.get(display)?.window.webContents.startDrag({ file, icon }),
    onClosed(listener) {
      tellClosed = listener;
    },
  };
}

/** The main one in place of a display that isn't connected any more. */
function displayCalled(id: string): Display {
  return screen.getAllDisplays().find((display) => String(display.id) === id) ?? screen.getPrimaryDisplay();
}

function cardPlace({ workArea }: Pick<Display, 'workArea'>, corner: Preferences['cardCorner'], count: number): Rectangle {
  const { x, y, width, height } = workArea;
  const size = { width: SIZE.width, height: SIZE.height * count };
  return {
    x: corner.endsWith('left') ? x + MARGIN : x + width - size.width - MARGIN,
    y: corner.startsWith('top') ? y + MARGIN : y + height - size.height - MARGIN,
    ...size,
  };
}
