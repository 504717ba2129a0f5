import { afterEach, expect, test, vi } from 'vitest';
import { messageBox } from '#main/base/system/message-box.ts';
import { dialog } from '#test/desktop/double/system/dialog.ts';
import { BrowserWindow } from '#test/desktop/double/windows/browser-window.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const box = vi.spyOn(dialog, 'showMessageBox');
const windows = vi.spyOn(BrowserWindow, 'getAllWindows');
const options = { message: 'Leave?', buttons: ['Stay', 'Leave'], cancelId: 0 };

afterEach(() => {
  box.mockReset();
  windows.mockReset();
});

/** A window in one of the states that the user may have left it in. */
function windowThatIs(state: 'visible' | 'hidden' | 'minimised') {
  let isVisible = state === 'visible';
  const appear = () => {
    isVisible = true;
  };
  return { isVisible: () => isVisible, isMinimized: () => state === 'minimised' && !isVisible, restore: appear, showInactive: appear };
}

test.each(['hidden', 'minimised'] as const)(
  'on macOS it belongs to a window, which is shown if it was %s, so that the app keeps working',
  async (state) => {
    const window = windowThatIs(state);
    windows.mockReturnValue([window as unknown as BrowserWindow]);
    box.mockResolvedValue({ response: 1, checkboxChecked: false });
    expect(await messageBox(options, 'darwin')).toBe(1);
    expect(box.mock.lastCall).toEqual([window, options]);
    expect(window.isVisible()).toBe(true);
  },
);

test('on macOS it belongs to the window that the user sees', async () => {
  const [hidden, visible] = [windowThatIs('hidden'), windowThatIs('visible')];
  windows.mockReturnValue([hidden, visible] as unknown as BrowserWindow[]);
  box.mockResolvedValue({ response: 0, checkboxChecked: false });
  await messageBox(options, 'darwin');
  expect(box.mock.lastCall?.[0]).toBe(visible);
  expect(hidden.isVisible()).toBe(false);
});

test('elsewhere it stands alone, and so it does on macOS before there is a window', async () => {
  windows.mockReturnValue([]);
  box.mockResolvedValue({ response: 1, checkboxChecked: false });
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    await messageBox(options, platform);
    expect(box.mock.lastCall).toEqual([options]);
  }
});
