import { globalShortcut } from 'electron';
import type { PreferenceStore } from '#main/base/preferences.ts';

/** The global shortcut that uploads the clipboard. */
export interface UploadShortcut {
  /** False when another program uses it, when it is invalid, or when none is chosen. */
  active(): boolean;
}

interface Options {
  preferences: PreferenceStore;
  press(): void;
  /** Called when the shortcut can't be registered. */
  onRefused(keys: string): void;
}

/** Registers the chosen shortcut, and each new choice. */
export function setupShortcut({ preferences, press, onRefused }: Options): UploadShortcut {
  let registered: string | null = null;

  function apply(keys: string | null) {
    if (registered === keys && keys !== null) return;
    if (registered) globalShortcut.unregister(registered);
    registered = null;
    if (!keys) return;
    if (register(keys, press)) registered = keys;
    else onRefused(keys);
  }

  preferences.onChange(({ shortcut }) => apply(shortcut));
  apply(preferences.get().shortcut);
  return { active: () => registered !== null };
}

/** Electron throws for an invalid shortcut and returns false for one that is taken. */
function register(keys: string, press: () => void) {
  try {
    return globalShortcut.register(keys, press);
  } catch (error) {
    console.error(`The shortcut ${keys} cannot be used:`, error);
    return false;
  }
}
