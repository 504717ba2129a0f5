// A file without schemas, which the web application doesn't load.

/** What of the screen a capture shows. `region`: the user selects it; `last-region`: the same one once more; `screen`: the one with the pointer. */
export const CAPTURE_MODES = ['region', 'last-region', 'window', 'screen'] as const;
export type CaptureMode = (typeof CAPTURE_MODES)[number];

/** Seconds before a capture, in which menus can be opened. */
export const CAPTURE_DELAYS = [0, 3, 5, 10] as const;
export type CaptureDelay = (typeof CAPTURE_DELAYS)[number];
