import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { setupShowing } from '#main/windows/showing.ts';
import { breakDestroyed } from '#test/desktop/double/windows/destroyed.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));
const report = vi.spyOn(console, 'error');
beforeEach(() => void report.mockReset());

/** A window without a page. */
class Window extends EventEmitter {
  readonly webContents = new EventEmitter();
  shown = false;
  minimized = false;
  hidden = false;
  destroyed = false;

  isDestroyed() {
    return this.destroyed;
  }
  isFullScreen() {
    return false;
  }
  isVisible() {
    return this.shown;
  }
  hide() {
    this.hidden = true;
  }
  minimize() {
    this.minimized = this.shown;
  }
  show() {
    this.shown = true;
  }
  /** Wayland can't show a window without focus. */
  showInactive() {
    return undefined;
  }
  destroy() {
    this.destroyed = true;
    breakDestroyed(this, ['webContents']);
    this.emit('closed');
  }
}

/** The tray's presence is known once the test says so. */
function showingWindow({ hidden }: { hidden: boolean }) {
  const window = new Window();
  const tray = Promise.withResolvers<boolean>();
  const onClosed = vi.fn();
  const options = {
    maximized: false,
    hidden,
    tray: { isShown: () => tray.promise, appears: () => tray.promise },
    quitting: () => false,
    onClosed,
  };
  const showing = setupShowing(window as unknown as BrowserWindow, options);
  return { window, tray, onClosed, showing };
}

test('under Wayland, an app that starts hidden and without a tray is in the list of windows', async () => {
  const { window, tray } = showingWindow({ hidden: true });
  window.emit('ready-to-show');
  tray.resolve(false);
  await expect.poll(() => window.minimized).toBe(true);
});

test('a window that the user opens while the app waits for its icon stays open', async () => {
  const { window, tray } = showingWindow({ hidden: true });
  window.emit('ready-to-show');
  window.show();
  tray.resolve(false);
  await tray.promise;
  await new Promise(setImmediate);
  expect(window.minimized).toBe(false);
});

test.each([
  ['starts hidden', true, (window: Window) => window.emit('ready-to-show')],
  ['is put away', false, (window: Window) => window.emit('close', { preventDefault: () => undefined })],
])('a window that closes while it %s is left alone', async (_title, hidden, happens) => {
  const { window, tray, onClosed } = showingWindow({ hidden });
  happens(window);
  window.destroy();
  expect(() => window.hide()).toThrow('Object has been destroyed');
  tray.resolve(false);
  await tray.promise;
  await new Promise(setImmediate);
  expect(report).not.toHaveBeenCalled();
  expect(onClosed).not.toHaveBeenCalled();
});

test.each(['linux', 'win32'])('a window that is minimised while it is maximised counts as maximised, on %s', (platform) => {
  const { window, showing } = showingWindow({ hidden: false });
  const state = { maximized: true, minimized: false };
  Object.assign(window, { isMaximized: () => state.maximized && !state.minimized, isMinimized: () => state.minimized });
  window.emit('maximize');
  state.minimized = true;
  if (platform === 'linux') window.emit('unmaximize');
  window.emit('minimize');
  expect(showing.isMaximized()).toBe(true);
  state.minimized = false;
  expect(showing.isMaximized()).toBe(true);
  state.maximized = false;
  window.emit('unmaximize');
  state.minimized = true;
  expect(showing.isMaximized()).toBe(false);
});
