import type { BrowserWindow } from 'electron';
import type { TraySupport } from '#main/base/system/tray-support.ts';
import { bringToFront, putAway, whenPresentable } from './open-window.ts';

interface Options {
  /** Whether it was maximised when it was last seen. */
  maximized: boolean;
  /** Starts without showing it, as at login. */
  hidden: boolean;
  tray: Pick<TraySupport, 'isShown' | 'appears'>;
  /** True once the app is quitting: the window then closes instead of hiding. */
  quitting(): boolean;
  /** Called when it has been closed without quitting. `how`: minimised where no tray could bring it back. */
  onClosed(how: 'hidden' | 'minimized'): void;
}

/** When a window is visible. */
export interface Showing {
  /** Brings it to the front. */
  show(): void;
  /** Also while it is minimised, or waits to be shown. */
  isMaximized(): boolean;
}

/** Shows a window once its first page is ready, and hides or minimises it when it is closed. */
export function setupShowing(window: BrowserWindow, { maximized, hidden, tray, quitting, onClosed }: Options): Showing {
  /** Maximising shows a window, so it waits until the page is ready. */
  let mustMaximize = maximized;
  /** A minimised window isn't maximised to the system, even if it will be again. */
  let isMaximizedAgain = false;

  function show() {
    if (mustMaximize) window.maximize();
    mustMaximize = false;
    bringToFront(window);
  }

  async function startHidden() {
    if ((await tray.appears()) || window.isDestroyed() || window.isVisible()) return;
    // A window that was never shown can't be minimised.
    window.showInactive();
    if (!window.isVisible()) window.show(); // Wayland
    window.minimize();
  }

  async function hideOrMinimise() {
    const how = (await tray.isShown()) ? 'hidden' : 'minimized';
    if (window.isDestroyed()) return;
    if (how === 'hidden') window.hide();
    else window.minimize();
    onClosed(how);
  }

  const close = () => {
    hideOrMinimise().catch((error: unknown) => console.error('Couldn’t hide the window:', error));
  };
  window.on('maximize', () => {
    isMaximizedAgain = true;
  });
  window.on('unmaximize', () => {
    isMaximizedAgain = window.isMinimized(); // on Linux, minimising comes first
  });
  whenPresentable(window, () => {
    if (!hidden) return show();
    startHidden().catch((error: unknown) => console.error('Couldn’t minimise the window:', error));
  });
  window.on('close', (event) => {
    if (quitting()) return;
    event.preventDefault();
    putAway(window, close);
  });
  return { show, isMaximized: () => mustMaximize || (window.isMinimized() ? isMaximizedAgain : window.isMaximized()) };
}
