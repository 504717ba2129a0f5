import { globalShortcut } from 'electron';
import type { PreferenceStore } from '#main/base/preferences.ts';

/** The key combination that uploads the clipboard from anywhere. */
export interface UploadShortcut {
  /** False when another program holds it, when it is not a combination, or when none is chosen. */
  active(): boolean;
}

interface Options {
  preferences: PreferenceStore;
  press(): void;
  /** Hears of a combination that cannot be had. */
  onRefused(keys: string): void;
}

/** Registers the chosen combination, and again when another is chosen. */
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

/** Electron throws for what is not a combination, and answers false for one that is taken. */
function register(keys: string, press: () => void) {
  try {
    return globalShortcut.register(keys, press);
  } catch (error) {
    console.error(`The shortcut ${keys} cannot be used:`, error);
    return false;
  }
}
