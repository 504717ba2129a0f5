import type { GlobalShortcut } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';

const shortcuts = new Map<string, () => void>();

export const globalShortcut = {
  register(accelerator: string, callback: () => void) {
    if (!/^[\w+]+$/.test(accelerator)) throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
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
  /** Plays the user; returns whether the system knows the keys. */
  press(accelerator: string): boolean {
    const callback = shortcuts.get(accelerator);
    if (!isHostile('shortcuts-never-fire')) callback?.();
    return callback !== undefined;
  },
} satisfies Pick<GlobalShortcut, 'register' | 'isRegistered' | 'unregister' | 'unregisterAll'> & Record<'press', unknown>;
