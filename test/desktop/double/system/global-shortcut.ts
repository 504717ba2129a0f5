import type { GlobalShortcut } from 'electron';
import { requireReady } from '#test/desktop/double/machine.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { foreground } from '#test/desktop/double/windows/foreground.ts';

/** By what the keys stand for: `Ctrl+Esc` is `Control+Escape`. */
const shortcuts = new Map<string, () => void>();

const COMMAND_OR_CONTROL = process.platform === 'darwin' ? 'command' : 'control';
const MODIFIERS: Readonly<Record<string, string>> = {
  ...{ alt: 'alt', option: 'alt', altgr: 'altgr', shift: 'shift', control: 'control', ctrl: 'control' },
  ...{ command: 'command', cmd: 'command', super: 'command', meta: 'command' },
  ...{ commandorcontrol: COMMAND_OR_CONTROL, cmdorctrl: COMMAND_OR_CONTROL },
};
/** Characters that are typed with Shift, and their keys. */
const SHIFTED = [')!@#$%^&*(:+<_>?~{|}"', "0123456789;=,-./`[\\]'"] as const;
const KEYS =
  /^(?:[a-z0-9;=,\-./`[\\\]']|f(?:[1-9]|1\d|2[0-4])|num(?:\d|add|dec|div|lock|mult|sub)|media(?:nexttrack|previoustrack|stop|playpause)|volume(?:up|down|mute)|space|tab|(?:caps|scroll)lock|backspace|delete|insert|return|up|down|left|right|home|end|page(?:up|down)|escape|printscreen)$/;
const SYNONYMS: Readonly<Record<string, string>> = { enter: 'return', esc: 'escape', plus: '+' };

/** What an accelerator stands for, as Electron reads it: without a `+` as such, and with the last key only. @throws TypeError without a key */
function meaningOf(accelerator: string): string {
  const isShort = /^\p{ASCII}*$/u.test(accelerator);
  const modifiers = new Set<string>();
  let key: string | undefined;
  for (const given of isShort ? accelerator.toLowerCase().split('+') : []) {
    const token = SYNONYMS[given.trim()] ?? given.trim();
    const modifier = MODIFIERS[token];
    const place = token.length === 1 ? SHIFTED[0].indexOf(token) : -1;
    if (place >= 0) modifiers.add('shift');
    if (modifier) modifiers.add(modifier);
    else if (token !== '') key = place >= 0 ? SHIFTED[1][place] : token;
  }
  if (key === undefined || !KEYS.test(key))
    throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
  return [...[...modifiers].sort(), key].join('+');
}

const requireUse = () => requireReady('globalShortcut cannot be used before the app is ready');

/** The keys that Chromium can name to a Wayland desktop's portal, as Electron writes them. Any other key is registered and never fires. */
const PORTAL_KEYS =
  /^(?:[A-Z0-9]|,|\.|Comma|Period|Home|End|PageUp|PageDown|Space|Insert|Delete|Left|Up|Right|Down|Media(?:NextTrack|PreviousTrack|Stop|PlayPause))$/i;

const isPortal = () => Boolean(process.env.WAYLAND_DISPLAY);
const fires = (accelerator: string) =>
  !isHostile('shortcuts-never-fire') && (!isPortal() || PORTAL_KEYS.test(accelerator.split('+').at(-1) ?? ''));

export const globalShortcut = {
  register(accelerator: string, callback: () => void) {
    requireUse();
    const keys = meaningOf(accelerator);
    // The portal of a Wayland desktop replaces what it has.
    if (shortcuts.has(keys) && !isHostile('shortcuts-stay')) return false;
    shortcuts.set(keys, callback);
    return true;
  },
  isRegistered: (accelerator: string) => shortcuts.has(meaningOf(accelerator)),
  unregister(accelerator: string) {
    requireUse();
    const keys = meaningOf(accelerator);
    if (!isHostile('shortcuts-stay')) shortcuts.delete(keys);
  },
  unregisterAll() {
    requireUse();
    shortcuts.clear();
  },
  /** Plays the user, who works with another program; returns whether the system knows the keys. */
  press(accelerator: string): boolean {
    const callback = shortcuts.get(meaningOf(accelerator));
    if (callback && fires(accelerator)) {
      foreground.leave();
      callback();
    }
    return callback !== undefined;
  },
} satisfies Pick<GlobalShortcut, 'register' | 'isRegistered' | 'unregister' | 'unregisterAll'> & Record<'press', unknown>;
