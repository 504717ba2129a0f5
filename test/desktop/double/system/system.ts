import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  DesktopCapturer,
  DesktopCapturerSource,
  Display,
  NativeTheme,
  PowerSaveBlocker,
  Screen,
  Shell,
  Size,
  SourcesOptions,
  SystemPreferences,
} from 'electron';
import { requireReady, userDataFolder } from '#test/desktop/double/machine.ts';
import { nativeImage } from './native-image.ts';

// Parts of Electron that only pass something to the system: here they do little. Tests wrap them to record the calls.

export const shell = {
  openExternal: async () => undefined,
  openPath: async () => '',
  /** The trash is in the app's own data. */
  async trashItem(path: string) {
    const trash = join(userDataFolder(), 'Trash');
    mkdirSync(trash, { recursive: true });
    await rename(path, join(trash, `${Date.now()}-${basename(path)}`)).catch((error: Error) => {
      throw new Error(`Failed to move item to trash: ${error.message}`);
    });
  },
} satisfies Pick<Shell, 'openExternal' | 'openPath' | 'trashItem'>;

/** Only macOS has such a permission. */
export const systemPreferences = { getMediaAccessStatus: () => 'granted' as const } satisfies Pick<
  SystemPreferences,
  'getMediaAccessStatus'
>;

const size = { width: 1920, height: 1080 };
const area = { x: 0, y: 0, ...size };
const display: Display = {
  id: 1,
  label: 'electron double',
  accelerometerSupport: 'unknown',
  bounds: area,
  colorDepth: 24,
  colorSpace: '{primaries:BT709, transfer:SRGB, matrix:RGB, range:FULL}',
  depthPerComponent: 8,
  detected: true,
  displayFrequency: 60,
  internal: false,
  maximumCursorSize: { width: 64, height: 64 },
  monochrome: false,
  nativeOrigin: { x: 0, y: 0 },
  rotation: 0,
  scaleFactor: 1,
  size,
  touchSupport: 'unknown',
  workArea: area,
  workAreaSize: size,
};

/** A white screen that fits into a size. */
function pictureOfScreen({ width, height }: Size) {
  const scale = Math.min(width / size.width, height / size.height);
  const picture = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  return nativeImage.createFromBitmap(Buffer.alloc(picture.width * picture.height * 4, 0xff), picture);
}

/** The one screen; Linux has no windows, either. */
export const desktopCapturer = {
  async getSources({ types, thumbnailSize = { width: 150, height: 150 } }: SourcesOptions) {
    if (!Array.isArray(types)) throw new Error('Invalid options');
    if (!types.includes('screen')) return [];
    const thumbnail = pictureOfScreen(thumbnailSize);
    return [{ id: 'screen:1:0', name: 'Entire screen', display_id: String(display.id), thumbnail } as DesktopCapturerSource];
  },
} satisfies Pick<DesktopCapturer, 'getSources'>;

const theScreen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getCursorScreenPoint: () => ({ x: 0, y: 0 }),
  getDisplayNearestPoint: () => display,
}) satisfies Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays' | 'getCursorScreenPoint' | 'getDisplayNearestPoint'>;

/** Every use before the app is ready throws, even listening. */
export const screen = new Proxy(theScreen, {
  get(target, name) {
    requireReady("The 'screen' module can't be used before the app 'ready' event");
    return Reflect.get(target, name);
  },
});

const blockers = new Set<number>();
let lastBlocker = 0;
export const powerSaveBlocker = {
  start() {
    lastBlocker += 1;
    blockers.add(lastBlocker);
    return lastBlocker;
  },
  stop: (id) => blockers.delete(id),
  isStarted: (id) => blockers.has(id),
} satisfies PowerSaveBlocker;

class DoubleTheme extends EventEmitter implements Pick<NativeTheme, 'shouldUseDarkColors' | 'themeSource'> {
  #source: NativeTheme['themeSource'] = 'system';

  get shouldUseDarkColors() {
    return this.#source === 'dark';
  }

  get themeSource() {
    return this.#source;
  }

  /** Reports only what changes the colours. */
  set themeSource(source) {
    const wasDark = this.shouldUseDarkColors;
    this.#source = source;
    if (this.shouldUseDarkColors !== wasDark) this.emit('updated');
  }
}

/** The system itself is light. */
export const nativeTheme = new DoubleTheme();
