import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, SHOW_LIMIT_MS, whenPresentable } from '#main/windows/open-window.ts';
import { isPackagedPage } from '#main/windows/pages.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));
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
