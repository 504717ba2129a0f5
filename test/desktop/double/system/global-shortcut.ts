import type { GlobalShortcut } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';
import { foreground } from '#test/desktop/double/windows/foreground.ts';

const shortcuts = new Map<string, () => void>();

/** The keys that Chromium can name to a Wayland desktop's portal, as Electron writes them. Any other key is registered and never fires. */
const PORTAL_KEYS =
  /^(?:[A-Z0-9]|,|\.|Comma|Period|Home|End|PageUp|PageDown|Space|Insert|Delete|Left|Up|Right|Down|Media(?:NextTrack|PreviousTrack|Stop|PlayPause))$/i;

const isPortal = () => Boolean(process.env.WAYLAND_DISPLAY);
const fires = (accelerator: string) =>
  !isHostile('shortcuts-never-fire') && (!isPortal() || PORTAL_KEYS.test(accelerator.split('+').at(-1) ?? ''));

export const globalShortcut = {
  register(accelerator: string, callback: () => void) {
    if (!/^[\w+,.]+$/.test(accelerator))
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
    // The portal of a Wayland desktop replaces what it has.
    if (shortcuts.has(accelerator) && !isHostile('shortcuts-stay')) return false;
    shortcuts.set(accelerator, callback);
    return true;
  },
  isRegistered: (accelerator: string) => shortcuts.has(accelerator),
  unregister(accelerator: string) {
    if (!isHostile('shortcuts-stay')) shortcuts.delete(accelerator);
  },
  unregisterAll: () => shortcuts.clear(),
  /** Plays the user, who works with another program; returns whether the system knows the keys. */
  press(accelerator: string): boolean {
    const callback = shortcuts.get(accelerator);
    if (callback && fires(accelerator)) {
      foreground.leave();
      callback();
    }
    return callback !== undefined;
  },
} satisfies Pick<GlobalShortcut, 'register' | 'isRegistered' | 'unregister' | 'unregisterAll'> & Record<'press', unknown>;
