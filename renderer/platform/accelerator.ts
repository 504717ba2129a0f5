import type { DesktopBridge } from '#api/desktop/calls.ts';

type Platform = DesktopBridge['platform'];
/** The part of a key press that matters. `code` is the key's place, so modifiers don't change its name. */
export type KeyPress = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const NAMED: Record<string, string> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Space: 'Space',
  Insert: 'Insert',
  Delete: 'Delete',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  PrintScreen: 'PrintScreen',
};

/**
 * A key press as an Electron accelerator, such as `Control+Shift+U`. Undefined if no system could register it as a global shortcut:
 * a key that types a character needs Control, Alt or the system key.
 */
export function acceleratorOf({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress, platform: Platform): string | undefined {
  const key = /^Key([A-Z])$/.exec(code)?.[1] ?? /^Digit(\d)$/.exec(code)?.[1] ?? /^(F(?:[1-9]|1\d|2[0-4]))$/.exec(code)?.[1] ?? NAMED[code];
  const strong = ctrlKey || metaKey || altKey;
  if (!key || !(strong || /^F\d|PrintScreen/.test(key))) return undefined;
  const system = platform === 'darwin' ? 'Command' : 'Super';
  const modifiers = [ctrlKey && 'Control', metaKey && system, altKey && 'Alt', shiftKey && 'Shift'];
  return [...modifiers.filter((modifier) => modifier !== false), key].join('+');
}

const SIGNS: Record<string, string> = { Command: '⌘', Control: '⌃', Alt: '⌥', Shift: '⇧' };
const NAMES: Record<string, string> = { Control: 'Ctrl', Super: 'Win' };

/** The keys of an accelerator as the system's menus name them: `Ctrl`, `Shift`, `U`, or `⇧⌘U`. */
export function keysOf(accelerator: string, platform: Platform): string[] {
  const keys = accelerator.split('+').map((key) => (key === 'CommandOrControl' ? (platform === 'darwin' ? 'Command' : 'Control') : key));
  if (platform === 'darwin') return keys.map((key) => SIGNS[key] ?? key);
  return keys.map((key) => (platform === 'linux' && key === 'Super' ? key : (NAMES[key] ?? key)));
}

/** A shortcut in a sentence: `Ctrl+Shift+U`, or `⌘⇧U` on macOS. */
export const shortcutLabel = (accelerator: string, platform: Platform): string =>
  keysOf(accelerator, platform).join(platform === 'darwin' ? '' : '+');
