import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme } from 'electron';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PageKind } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { reloadAfterCrash } from './crashes.ts';
import { guardNavigation } from './navigation.ts';

/** The time after which a window is shown, whatever its page does. */
export const SHOW_LIMIT_MS = 3_000;

interface Options extends Omit<BrowserWindowConstructorOptions, 'webPreferences'> {
  /** False: its page works as fast when nobody sees it. */
  backgroundThrottling?: boolean;
  paths: Pick<AppPaths, 'preload' | 'icon'>;
  /** Identifies the pages that the window may show by their address. */
  pageKind(url: string): PageKind;
  texts(): Texts;
}

/** A hidden window whose pages are isolated, stay our own, and come back after a crash. Show it with {@link whenPresentable}. */
export function openWindow({ paths, pageKind, texts, backgroundThrottling = true, ...options }: Options): BrowserWindow {
  const window = new BrowserWindow({
    ...options,
    show: false,
    icon: paths.icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131a1c' : '#ffffff',
    webPreferences: {
      preload: paths.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      backgroundThrottling,
      // Chromium's own dictionaries, everywhere else, are downloaded from the internet.
      spellcheck: process.platform === 'darwin',
    },
  });
  guardNavigation(window.webContents, pageKind);
  reloadAfterCrash(window, texts);
  return window;
}

/** Opens a packaged page, by its absolute path. Electron's own `loadFile` doesn't encode a `%` in it. */
export function openPage(window: BrowserWindow, path: string, hash = ''): Promise<void> {
  return window.loadURL(Object.assign(pathToFileURL(path), { hash }).href);
}

/**
 * Calls back once, when the window's page can be shown without a flash, unless the window has closed by then. Under Wayland, `ready-to-show`
 * may never be emitted (https://github.com/electron/electron/issues/48859), and a page may never load.
 */
export function whenPresentable(window: BrowserWindow, present: () => void): void {
  const timer = setTimeout(once, SHOW_LIMIT_MS);
  window.once('ready-to-show', once);
  window.webContents.once('did-finish-load', once);
  window.once('closed', end);

  function once() {
    end();
    if (!window.isDestroyed()) present();
  }

  function end() {
    clearTimeout(timer);
    window.off('ready-to-show', once);
    window.off('closed', end);
    if (!window.isDestroyed()) window.webContents.off('did-finish-load', once);
  }
}

/**
 * Shows a window in front of all others, with the focus. Systems refuse that to a window in the background while the user works with another
 * program, such as one that captures the screen, unless the window is kept on top.
 */
export function bringToFront(window: BrowserWindow): void {
  const isKeptOnTop = window.isAlwaysOnTop();
  if (window.isMinimized()) window.restore();
  if (!isKeptOnTop) window.setAlwaysOnTop(true);
  if (process.platform === 'darwin') app.focus({ steal: true });
  window.show();
  window.focus();
  if (!isKeptOnTop) window.setAlwaysOnTop(false);
}

/** Lets a window go, which leaves full screen first: macOS would leave a black space. `go` isn't called if it closes in the meantime. */
export function putAway(window: BrowserWindow, go: () => void): void {
  if (window.isFullScreen()) {
    window.once('leave-full-screen', () => {
      if (!window.isDestroyed()) go();
    });
    window.setFullScreen(false);
  } else go();
}

/** Gives the focus back to the program in front of which the app has come, if the user sees nothing else of the app. Elsewhere, systems do that. */
export function yieldFocus(): void {
  if (process.platform === 'darwin' && !BrowserWindow.getAllWindows().some((window) => window.isVisible())) app.hide();
}
