import { z } from 'zod';
import type { Call } from './call.ts';

/**
 * Whether the system starts the app when the user signs in. `blocked`: it would, but the user has to allow it in the system's settings;
 * `unavailable`: macOS starts installed apps only.
 */
const startAtLoginState = z.enum(['off', 'on', 'blocked', 'unavailable']);
export type StartAtLoginState = z.infer<typeof startAtLoginState>;

export const startupCalls = {
  getStartAtLogin: { pages: ['app', 'joined'], input: z.tuple([]), output: startAtLoginState },
  setStartAtLogin: { pages: ['app', 'joined'], input: z.tuple([z.boolean()]), output: startAtLoginState },
  /** Opens the system's settings for programs that start at login (macOS, Windows). */
  openLoginSettings: { pages: ['app', 'joined'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;
