// A file without schemas, which the web application doesn't load.

/** What of the screen a capture shows. `region`: the user selects it; `last-region`: the same one once more; `screen`: the one with the pointer. */
export const CAPTURE_MODES = ['region', 'last-region', 'window', 'screen'] as const;
export type CaptureMode = (typeof CAPTURE_MODES)[number];

/** Seconds before a capture, in which menus can be opened. */
export const CAPTURE_DELAYS = [0, 3, 5, 10] as const;
export type CaptureDelay = (typeof CAPTURE_DELAYS)[number];

/** What a recording shows: a part of a display, a window or a display. */
export const RECORDING_TARGETS = ['region', 'window', 'screen'] as const;
export type RecordingTarget = (typeof RECORDING_TARGETS)[number];

/** Frames per second of a recording, and the seconds before it. */
export const FRAME_RATES = [15, 30, 60] as const;
export const COUNTDOWNS = [0, 3, 5] as const;

/** The keys that Chromium can name to the portal of a Wayland desktop. It registers any other one, too, which then does nothing. */
const PORTAL_KEY =
  /^(?:[A-Z0-9]|,|\.|Comma|Period|Home|End|PageUp|PageDown|Space|Insert|Delete|Left|Up|Right|Down|Media(?:NextTrack|PreviousTrack|Stop|PlayPause))$/i;

/** Whether the portal of a Wayland desktop can know a shortcut. */
export const portalKnows = (accelerator: string): boolean => PORTAL_KEY.test(accelerator.split('+').at(-1) ?? '');

/** Names of the same key. */
const MODIFIERS: Readonly<Record<string, string>> = { ctrl: 'control', cmd: 'meta', command: 'meta', option: 'alt', super: 'meta' };

/** Equal for shortcuts that are the same keys on this system, whatever they are called and in which order. */
export function keysMeant(accelerator: string, platform: string): string {
  const common = platform === 'darwin' ? 'meta' : 'control';
  const [key = '', ...modifiers] = accelerator.toLowerCase().split('+').reverse();
  const names = modifiers.map((name) => (/^(command|cmd)or(control|ctrl)$/.test(name) ? common : (MODIFIERS[name] ?? name)));
  return [...names.sort(), key].join('+');
}

/** The corner of the screen that has the cards, and the seconds for which one is shown; 0: until it is closed. */
export const CARD_CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export const CARD_SECONDS = [5, 10, 30, 0] as const;
