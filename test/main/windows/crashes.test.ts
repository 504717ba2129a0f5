import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { en } from '#main/texts/en.ts';
import { MAX_RELOADS, reloadAfterCrash, WITHIN_MS } from '#main/windows/crashes.ts';
import { dialog } from '#test/desktop/double/system/dialog.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const box = vi.spyOn(dialog, 'showMessageBox');
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => void box.mockReset());

const choose = (response: 0 | 1) => box.mockResolvedValueOnce({ response, checkboxChecked: false });

/** A window whose page crashes when a test says so. */
function brittleWindow({ isVisible = true } = {}) {
  let time = 0;
  const reload = vi.fn();
  const close = vi.fn();
  const webContents = Object.assign(new EventEmitter(), { reload });
  const window = Object.assign(new EventEmitter(), { webContents, close, isVisible: () => isVisible, isDestroyed: () => false });
  reloadAfterCrash(
    window as unknown as BrowserWindow,
    () => en,
    () => time,
  );
  const crash = (reason = 'crashed') => webContents.emit('render-process-gone', {}, { reason, exitCode: 1 });
  const crashTooOften = () => {
    for (let count = 0; count <= MAX_RELOADS; count += 1) crash();
  };
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { window, webContents, reload, close, crash, crashTooOften, pass };
}

test('a page that has crashed is reloaded, however long the app runs', () => {
  const { crash, reload, pass } = brittleWindow();
  for (let count = 1; count <= 20; count += 1) {
    crash();
    expect(reload).toHaveBeenCalledTimes(count);
    pass(WITHIN_MS / MAX_RELOADS);
  }
  crash('clean-exit');
  expect(reload).toHaveBeenCalledTimes(20);
  expect(box).not.toHaveBeenCalled();
});

test('a page that keeps crashing is left alone until the user reloads it', async () => {
  const { crashTooOften, crash, reload } = brittleWindow();
  const choice = Promise.withResolvers<{ response: number; checkboxChecked: boolean }>();
  box.mockReturnValueOnce(choice.promise);
  crashTooOften();
  crash(); // another page was opened, and crashed as well
  expect(reload).toHaveBeenCalledTimes(MAX_RELOADS);
  expect(box).toHaveBeenCalledOnce();
  expect(box.mock.lastCall).toEqual([
    expect.objectContaining({ message: en.pageCrashes, buttons: ['Reload', 'Close window'], cancelId: 1 }),
  ]);
  choice.resolve({ response: 0, checkboxChecked: false });
  await expect.poll(() => reload).toHaveBeenCalledTimes(MAX_RELOADS + 1);
  crash();
  expect(reload).toHaveBeenCalledTimes(MAX_RELOADS + 2);
});

test('the user is asked when they see the window, and again when they come back to it', async () => {
  const { window, webContents, close, crashTooOften } = brittleWindow({ isVisible: false });
  crashTooOften();
  expect(box).not.toHaveBeenCalled();
  choose(1);
  window.emit('show');
  await expect.poll(() => close).toHaveBeenCalledOnce();
  choose(1);
  window.emit('show');
  await expect.poll(() => close).toHaveBeenCalledTimes(2);
  webContents.emit('did-finish-load');
  window.emit('show');
  expect(box).toHaveBeenCalledTimes(2);
});
