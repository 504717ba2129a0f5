import { z } from 'zod';
import type { Call } from './call.ts';

export const startupCalls = {
  /** Whether the system starts the app when the user signs in. */
  getStartAtLogin: { pages: ['app', 'joined'], input: z.tuple([]), output: z.boolean() },
  setStartAtLogin: { pages: ['app', 'joined'], input: z.tuple([z.boolean()]), output: z.boolean() },
} as const satisfies Record<string, Call>;
