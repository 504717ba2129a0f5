import { EventEmitter } from 'node:events';
import { globalShortcut } from 'electron';
import { keysMeant, portalKnows } from '#api/desktop/capture.ts';
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
  record: Shortcut;
  /** Calls back when other keys were chosen, or it is known whether any work. */
  onChange(listener: () => void): void;
}

interface Options {
  preferences: PreferenceStore;
  /** `inverted`: with one key more, for what the user didn't choose. */
  actions: { upload(inverted: boolean): void; capture(inverted: boolean): void; record(inverted: boolean): void };
  /** Called when a shortcut can't be registered. */
  onRefused(keys: string): void;
  /** Under Wayland: whether the desktop offers shortcuts to apps. Otherwise undefined: each registration shows it. */
  portal: Promise<boolean> | undefined;
}

interface Press {
  run(): void;
  /** It belongs to another shortcut. */
  isInverse: boolean;
}

type Chosen = (preferences: Preferences) => string | null;

/** Registers the chosen shortcuts, and each new choice. */
export function setupShortcuts({ preferences, actions, onRefused, portal }: Options): Shortcuts {
  let offered = true;
  /** The action of each registered shortcut, by what its keys mean. Wayland desktops go on calling shortcuts that were unregistered, and give the same keys twice. */
  const pressed = new Map<string, Press>();
  const changes = new EventEmitter<{ change: [] }>();
  void portal?.then((isOffered) => {
    offered = isOffered;
    changes.emit('change');
  });

  /** Unless the keys have another meaning by now. */
  function unregister(keys: string, press: Press) {
    const meant = keysMeant(keys, process.platform);
    if (pressed.get(meant) !== press) return;
    globalShortcut.unregister(keys);
    pressed.delete(meant);
  }

  /** Returns whether it works. What the user chose replaces the inverse of another shortcut. */
  function add(keys: string, press: Press) {
    const meant = keysMeant(keys, process.platform);
    const known = pressed.get(meant);
    const works = known ? known.isInverse && !press.isInverse : register(keys, () => pressed.get(meant)?.run());
    if (works) pressed.set(meant, press);
    return works;
  }

  function setup(chosen: Chosen, press: (inverted: boolean) => void): Shortcut {
    let current: string | null = null;
    let registered = false;
    const isKnown = (keys: string) => !portal || portalKnows(keys);
    const straight = { run: () => press(false), isInverse: false };
    const inverse = { run: () => press(true), isInverse: true };

    function apply(keys: string | null) {
      if (current === keys) return;
      // Other names for the same keys: they stay registered.
      if (current && keys && keysMeant(current, process.platform) === keysMeant(keys, process.platform)) return;
      if (current && registered) unregister(current, straight);
      if (current) unregister(withOneKeyMore(current) ?? '', inverse);
      current = keys;
      registered = keys !== null && isKnown(keys) && add(keys, straight);
      if (keys && isKnown(keys) && !registered) onRefused(keys);
      const more = keys && registered ? withOneKeyMore(keys) : undefined;
      // It isn't the user's choice: another program may have it. Wayland desktops would ask the user about it.
      if (more !== undefined && !portal) add(more, inverse);
    }

    function state(): ShortcutState {
      if (!current) return 'none';
      if (!isKnown(current)) return offered ? 'unknown' : 'unsupported';
      if (!registered) return 'refused';
      if (!portal) return 'active';
      return offered ? 'unchecked' : 'unsupported';
    }

    preferences.onChange((next) => {
      apply(chosen(next));
      changes.emit('change');
    });
    apply(chosen(preferences.get()));
    return { keys: () => current, state };
  }

  return {
    upload: setup(({ shortcut }) => shortcut, actions.upload),
    capture: setup(({ captureShortcut }) => captureShortcut, actions.capture),
    record: setup(({ recordShortcut }) => recordShortcut, actions.record),
    onChange: (listener) => void changes.on('change', listener),
  };
}

/**
 * Keys for captures that are free by default: macOS has the next digits for its own screenshots; Windows, GNOME, KDE, Xfce and Cinnamon use none
 * of these (decision 063). The first that is free here is suggested.
 */
const CAPTURE_KEYS = ['CommandOrControl+Shift+2', 'CommandOrControl+Shift+1', 'CommandOrControl+Shift+9'];

/** Tries keys before there are shortcuts. */
export interface ShortcutTrial {
  /** Whether keys could become a shortcut. */
  try(keys: string): Promise<ShortcutState>;
  /** For captures. */
  suggest(): Promise<{ keys: string | null; state: ShortcutState }>;
}

export function createShortcutTrial({ portal, preferences }: Pick<Options, 'portal' | 'preferences'>): ShortcutTrial {
  async function state(keys: string): Promise<ShortcutState> {
    // A Wayland desktop would ask the user about each of them.
    if (portal) return portalKnows(keys) ? ((await portal) ? 'unchecked' : 'unsupported') : 'unknown';
    const { shortcut } = preferences.get();
    if (shortcut !== null && keysMeant(shortcut, process.platform) === keysMeant(keys, process.platform)) return 'refused';
    if (!register(keys, () => undefined)) return 'refused';
    globalShortcut.unregister(keys);
    return 'active';
  }

  return {
    try: state,
    async suggest() {
      const { captureShortcut } = preferences.get();
      for (const keys of captureShortcut === null ? CAPTURE_KEYS : [captureShortcut]) {
        const found = await state(keys);
        if (found === 'active' || found === 'unchecked') return { keys, state: found };
        if (found === 'unsupported') return { keys: null, state: found };
      }
      return { keys: null, state: 'none' };
    },
  };
}

/** The shortcut that inverts another one: with Alt, or Shift if that has Alt; undefined if it has both. */
function withOneKeyMore(keys: string): string | undefined {
  const parts = keys.split('+');
  const key = ['Alt', 'Shift'].find((name) => !parts.some((part) => part === name || (name === 'Alt' && part === 'Option')));
  return key && [...parts.slice(0, -1), key, ...parts.slice(-1)].join('+');
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
