import { globalShortcut } from 'electron';
import type { Preferences, ShortcutState } from '#api/desktop/preferences.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';

/** A global shortcut and whether it works. */
export interface Shortcut {
  keys(): string | null;
  state(): ShortcutState;
}

/** The app's global shortcuts. */
export interface Shortcuts {
  upload: Shortcut;
  capture: Shortcut;
}

interface Options {
  preferences: PreferenceStore;
  actions: { upload(): void; capture(): void };
  /** Called when a shortcut can't be registered. */
  onRefused(keys: string): void;
  /** Under Wayland: whether the desktop offers shortcuts to apps. Otherwise undefined: each registration shows it. */
  portal: Promise<boolean> | undefined;
}

type Chosen = (preferences: Preferences) => string | null;

/** Registers the chosen shortcuts, and each new choice. */
export function setupShortcuts({ preferences, actions, onRefused, portal }: Options): Shortcuts {
  let offered = true;
  /** The action of each registered shortcut. Wayland desktops go on calling shortcuts that were unregistered, and give the same keys twice. */
  const pressed = new Map<string, () => void>();
  void portal?.then((isOffered) => {
    offered = isOffered;
  });

  function setup(chosen: Chosen, press: () => void): Shortcut {
    let current: string | null = null;
    let registered = false;

    function apply(keys: string | null) {
      if (current === keys) return;
      if (current && registered) {
        globalShortcut.unregister(current);
        pressed.delete(current);
      }
      current = keys;
      registered = keys !== null && !pressed.has(keys) && register(keys, () => pressed.get(keys)?.());
      if (keys && registered) pressed.set(keys, press);
      if (keys && !registered) onRefused(keys);
    }

    function state(): ShortcutState {
      if (!current) return 'none';
      if (!registered) return 'refused';
      if (!portal) return 'active';
      return offered ? 'unchecked' : 'unsupported';
    }

    preferences.onChange((next) => apply(chosen(next)));
    apply(chosen(preferences.get()));
    return { keys: () => current, state };
  }

  return {
    upload: setup(({ shortcut }) => shortcut, actions.upload),
    capture: setup(({ captureShortcut }) => captureShortcut, actions.capture),
  };
}

/** Electron throws for an invalid shortcut and returns false for one that is taken. */
function register(keys: string, press: () => void) {
  try {
    return globalShortcut.register(keys, press);
  } catch (error) {
    console.error(`Couldn’t register the shortcut ${keys}:`, error);
    return false;
  }
}
