import { z } from 'zod';

/** What of the screen a capture shows. `region`: the user selects it; `last-region`: the same one once more; `screen`: the one with the pointer. */
export const CAPTURE_MODES = ['region', 'last-region', 'window', 'screen'] as const;
export const captureMode = z.enum(CAPTURE_MODES);
export type CaptureMode = z.infer<typeof captureMode>;

/** Seconds before a capture, in which menus can be opened. */
export const CAPTURE_DELAYS = [0, 3, 5, 10] as const;
export const captureDelay = z.literal(CAPTURE_DELAYS);
export type CaptureDelay = z.infer<typeof captureDelay>;
