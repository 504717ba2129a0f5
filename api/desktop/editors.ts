import { z } from 'zod';
import type { Call } from './call.ts';

/** The state of the address for editors. */
const editorsStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('on'), url: z.string() }),
  /** `by`: whether the program on the port responds like an uploader (PicGo, PicList). */
  z.object({ state: z.literal('taken'), by: z.enum(['uploader', 'other']), port: z.int() }),
  z.object({ state: z.literal('failed'), detail: z.string() }),
]);
export type EditorsStatus = z.infer<typeof editorsStatus>;

export const editorCalls = {
  /** Tries the port again if it was taken. */
  getEditorsStatus: { pages: ['app', 'joined'], input: z.tuple([]), output: editorsStatus },
} as const satisfies Record<string, Call>;
