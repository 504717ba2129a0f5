import { z } from 'zod';
import type { Call, Event } from './call.ts';

/** Uploads whose result the user has been told. */
const delivery = z.object({
  /** In the preferred format; empty: nothing was uploaded. */
  links: z.string(),
  count: z.int(),
  failed: z.int(),
  /** Whether the links are on the clipboard. */
  copied: z.boolean(),
});

export const dropCalls = {
  /** Uploads a picture from the internet by its address, such as one dragged from a browser. Resolves once it is uploaded or has failed. */
  uploadAddress: { pages: ['drop', 'joined'], input: z.tuple([z.url({ protocol: /^https?$/ }).max(2_048)]), output: z.undefined() },
  closeDropWindow: { pages: ['drop'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const dropEvents = {
  delivery: { pages: ['drop', 'joined'], payload: delivery },
} as const satisfies Record<string, Event>;
