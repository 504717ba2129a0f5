// The double of the module `electron`, as the main process imports it.

import { ipcMain } from '#test/desktop/double/processes/ipc-main.ts';
import { utilityProcess } from '#test/desktop/double/processes/utility-process.ts';
import { ClipboardItem, clipboard } from '#test/desktop/double/system/clipboard.ts';
import { dialog } from '#test/desktop/double/system/dialog.ts';
import { globalShortcut } from '#test/desktop/double/system/global-shortcut.ts';
import { Menu, MenuItem } from '#test/desktop/double/system/menu.ts';
import { nativeImage } from '#test/desktop/double/system/native-image.ts';
import { Notification } from '#test/desktop/double/system/notification.ts';
import { powerMonitor } from '#test/desktop/double/system/power-monitor.ts';
import { safeStorage } from '#test/desktop/double/system/safe-storage.ts';
import { desktopCapturer, nativeTheme, powerSaveBlocker, screen, shell, systemPreferences } from '#test/desktop/double/system/system.ts';
import { Tray } from '#test/desktop/double/system/tray.ts';
import { BrowserWindow } from '#test/desktop/double/windows/browser-window.ts';
import { session } from '#test/desktop/double/windows/session.ts';
import { DoubleWebContents as webContents } from '#test/desktop/double/windows/web-contents.ts';
import { app } from './app.ts';

export {
  app,
  BrowserWindow,
  ClipboardItem,
  clipboard,
  desktopCapturer,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
  webContents,
};

/** Packages that use a default import get the same. */
const forPackages: { app: object; ipcMain: object; shell: object } = { app, ipcMain, shell };
export default forPackages;
