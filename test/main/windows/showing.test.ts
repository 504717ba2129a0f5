import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage, SHOW_LIMIT_MS, whenPresentable } from '#main/windows/open-window.ts';
import { isPackagedPage } from '#main/windows/pages.ts';
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

describe('open window', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A window that a test lets emit what it wants. */
  function hiddenWindow() {
    let isDestroyed = false;
    const webContents = new EventEmitter();
    const window = Object.assign(new EventEmitter(), { webContents, isDestroyed: () => isDestroyed });
    const present = vi.fn();
    whenPresentable(window as unknown as BrowserWindow, present);
    const destroy = () => {
      isDestroyed = true;
      window.emit('closed');
    };
    return { window, webContents, present, destroy };
  }

  test.each([
    ['its page has been drawn', ({ window }: ReturnType<typeof hiddenWindow>) => window.emit('ready-to-show')],
    ['its page has loaded, if that is all Wayland reports', ({ webContents }) => webContents.emit('did-finish-load')],
    ['nothing at all is reported for three seconds', () => vi.advanceTimersByTime(SHOW_LIMIT_MS)],
  ])('a window is shown when %s, and only once', (_title, happens) => {
    const hidden = hiddenWindow();
    vi.advanceTimersByTime(SHOW_LIMIT_MS - 1);
    expect(hidden.present).not.toHaveBeenCalled();
    happens(hidden);
    expect(hidden.present).toHaveBeenCalledOnce();
    hidden.window.emit('ready-to-show');
    hidden.webContents.emit('did-finish-load');
    vi.advanceTimersByTime(SHOW_LIMIT_MS);
    expect(hidden.present).toHaveBeenCalledOnce();
  });

  test('a window that has closed in the meantime is left alone', () => {
    const { present, destroy, window } = hiddenWindow();
    destroy();
    vi.advanceTimersByTime(SHOW_LIMIT_MS);
    window.emit('ready-to-show');
    expect(present).not.toHaveBeenCalled();
  });

  test.each(['/home/ada/100%/pixdock/pin.html', '/home/ada/50%41 off#1?/pin.html', '/家/pin.html'])(
    'the page at %s is found and recognised',
    async (path) => {
      const loadURL = vi.fn(async (_url: string) => undefined);
      await openPage({ loadURL } as unknown as BrowserWindow, path, 'id');
      const [address = ''] = loadURL.mock.calls[0] ?? [];
      expect(fileURLToPath(address.replace(/#id$/, ''))).toBe(path);
      expect(isPackagedPage(address, path, 'linux')).toBe(true);
    },
  );
});
