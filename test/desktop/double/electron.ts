// The double of the module `electron`, as the main process imports it.
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { ClipboardItem, clipboard } from './clipboard.ts';
import { dialog } from './dialog.ts';
import { globalShortcut } from './global-shortcut.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, MenuItem } from './menu.ts';
import { nativeImage } from './native-image.ts';
import { Notification } from './notification.ts';
import { powerMonitor } from './power-monitor.ts';
import { safeStorage } from './safe-storage.ts';
import { session } from './session.ts';
import { desktopCapturer, nativeTheme, powerSaveBlocker, screen, shell, systemPreferences } from './system.ts';
import { Tray } from './tray.ts';
import { utilityProcess } from './utility-process.ts';
import { DoubleWebContents as webContents } from './web-contents.ts';

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
