import { EventEmitter } from 'node:events';
import type { DesktopCapturer, Display, NativeTheme, PowerSaveBlocker, Screen, Shell, SystemPreferences } from 'electron';

// Parts of Electron that only pass something to the system: here they do nothing. Tests wrap them to record the calls.

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
  getCursorScreenPoint: () => ({ x: 0, y: 0 }),
  getDisplayNearestPoint: () => display,
}) satisfies Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays' | 'getCursorScreenPoint' | 'getDisplayNearestPoint'>;

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

class DoubleTheme extends EventEmitter implements Pick<NativeTheme, 'shouldUseDarkColors' | 'themeSource'> {
  #source: NativeTheme['themeSource'] = 'system';

  get shouldUseDarkColors() {
    return this.#source === 'dark';
  }

  get themeSource() {
    return this.#source;
  }

  set themeSource(source) {
    this.#source = source;
    this.emit('updated');
  }
}

/** The system itself is light. */
export const nativeTheme = new DoubleTheme();
