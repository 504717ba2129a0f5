import { EventEmitter } from 'node:events';
import type {
  DesktopCapturer,
  Dialog,
  Display,
  GlobalShortcut,
  NativeTheme,
  PowerMonitor,
  PowerSaveBlocker,
  SafeStorage,
  Screen,
  Shell,
  SystemPreferences,
} from 'electron';

// Parts of Electron that only pass something to the system: here they do nothing. Tests wrap them to record the calls.

const shortcuts = new Map<string, () => void>();

export const globalShortcut = {
  register(accelerator: string, callback: () => void) {
    if (!/^[\w+]+$/.test(accelerator)) throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
    if (shortcuts.has(accelerator)) return false;
    shortcuts.set(accelerator, callback);
    return true;
  },
  isRegistered: (accelerator: string) => shortcuts.has(accelerator),
  unregister: (accelerator: string) => void shortcuts.delete(accelerator),
  unregisterAll: () => shortcuts.clear(),
} satisfies Pick<GlobalShortcut, 'register' | 'isRegistered' | 'unregister' | 'unregisterAll'>;

export const dialog = {
  showOpenDialog: async () => ({ canceled: true, filePaths: [] as string[] }),
  showMessageBox: async () => ({ response: 0, checkboxChecked: false }),
  showErrorBox(title: string, content: string) {
    console.error(`${title}: ${content}`);
  },
} satisfies Pick<Dialog, 'showOpenDialog' | 'showMessageBox' | 'showErrorBox'>;

export const shell = {
  openExternal: async () => undefined,
  openPath: async () => '',
  trashItem: async () => undefined,
} satisfies Pick<Shell, 'openExternal' | 'openPath' | 'trashItem'>;

/** Only macOS has such a permission. */
export const systemPreferences = { getMediaAccessStatus: () => 'granted' as const } satisfies Pick<
  SystemPreferences,
  'getMediaAccessStatus'
>;

export const desktopCapturer = { getSources: async () => [] } satisfies Pick<DesktopCapturer, 'getSources'>;

const area = { x: 0, y: 0, width: 1920, height: 1080 };
const display = { id: 1, scaleFactor: 1, bounds: area, workArea: area } as Display;

export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
}) satisfies Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays'>;

/** Tests emit its events. */
export const powerMonitor = Object.assign(new EventEmitter(), { isOnBatteryPower: (): boolean => false }) satisfies Pick<
  PowerMonitor,
  'emit' | 'isOnBatteryPower'
>;

const blockers = new Set<number>();
export const powerSaveBlocker = {
  start() {
    const id = blockers.size + 1;
    blockers.add(id);
    return id;
  },
  stop: (id) => blockers.delete(id),
  isStarted: (id) => blockers.has(id),
} satisfies PowerSaveBlocker;

export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system' as const,
}) satisfies Pick<NativeTheme, 'shouldUseDarkColors' | 'themeSource'>;

/** Stands for the system's keyring: what it stores is unreadable in a file, and nothing more. */
export const safeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString: (text: string) => Buffer.from(Buffer.from(text).map((byte) => byte ^ 0xa5)),
  decryptString: (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0xa5)).toString(),
} satisfies Pick<SafeStorage, 'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'>;
