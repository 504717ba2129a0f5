import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { describeApp, finishStart } from '#test/desktop/double/machine.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { dialog } from './dialog.ts';
import { globalShortcut } from './global-shortcut.ts';
import { Menu } from './menu.ts';
import { nativeImage } from './native-image.ts';
import { Notification } from './notification.ts';
import { safeStorage } from './safe-storage.ts';
import { desktopCapturer, screen } from './system.ts';
import { Tray } from './tray.ts';

test('most parts can’t be used while the app starts', async () => {
  describeApp({ root: tmpdir(), name: 'app', version: '1.0.0', isPackaged: false });
  onTestFinished(finishStart);
  const uses = [
    () => dialog.showOpenDialog({}),
    () => globalShortcut.register('F1', () => undefined),
    () => new Notification(),
    () => new Tray(nativeImage.createEmpty()),
    () => safeStorage.encryptString('secret'),
    () => screen.getAllDisplays(),
  ];
  for (const use of uses) expect(use).toThrow(/ready/);
  expect(safeStorage.isEncryptionAvailable()).toBe(false);
  finishStart();
  for (const use of uses) use();
  globalShortcut.unregisterAll();
});

test('an accelerator is the keys that it stands for', () => {
  onTestFinished(() => globalShortcut.unregisterAll());
  expect(globalShortcut.register('Ctrl+Shift+Esc', () => undefined)).toBe(true);
  expect([globalShortcut.register('Shift+Control+Escape', () => undefined), globalShortcut.isRegistered('control+shift+ESC')]).toEqual([
    false,
    true,
  ]);
  for (const wrong of ['', 'Alt', 'Alt+Ä', 'Alt+F25', 'Alt+A+Nothing'])
    expect(() => globalShortcut.register(wrong, () => undefined), wrong).toThrow(TypeError);
});

test('a message box that is closed returns the button that says no', async () => {
  const response = async (options: object) => (await dialog.showMessageBox({ message: '', ...options })).response;
  expect(await response({ buttons: ['Yes', 'Later'], cancelId: 1 })).toBe(1);
  expect(await response({ buttons: ['Save', 'Don’t save', 'Cancel'] })).toBe(2);
  expect(await response({ buttons: ['Yes', 'Later'], defaultId: 0 })).toBe(1);
  expect(await response({ buttons: ['Yes', 'Later'] })).toBe(0);
  expect(() => dialog.showMessageBox({ message: 3 })).toThrow('Message must be a string');
});

test('a group of radio items has one that is marked, once its menu is shown', () => {
  const menu = Menu.buildFromTemplate([
    { label: 'a', type: 'radio' },
    { label: 'b', type: 'radio' },
    { type: 'separator' },
    { label: 'c', type: 'radio', checked: true },
  ]);
  menu.open();
  expect(menu.items.map(({ checked }) => checked)).toEqual([true, false, false, true]);
  expect(() => menu.popup({})).toThrow('Cannot open Menu without a BaseWindow present');
});

test('wrong pictures are empty or refused, and screens have one that fits', async () => {
  expect(nativeImage.createFromPath(temporaryFolder()).isEmpty()).toBe(true);
  expect(() => nativeImage.createFromBitmap(Buffer.alloc(5), { width: 1, height: 1 })).toThrow('invalid buffer size');
  expect(nativeImage.createEmpty().resize({ width: 10 }).getSize()).toEqual({ width: 0, height: 0 });
  const [source] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width: 192, height: 192 } });
  expect(source?.thumbnail.getSize()).toEqual({ width: 192, height: 108 });
  await expect(desktopCapturer.getSources({} as never)).rejects.toThrow('Invalid options');
});
