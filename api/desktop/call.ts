import type { z } from 'zod';

/**
 * The pages that main knows: the web application, the packaged ones shown while the service is down (`status`), at the first launch (`setup`),
 * and while another Pixdock server is joined (`joined`), the drop window's (`drop`), that of drafts (`edit`), those of pinned pictures (`pin`), those of
 * cards (`card`), and those of recordings (`record`).
 */
export type DesktopPage = 'app' | 'status' | 'setup' | 'joined' | 'drop' | 'edit' | 'pin' | 'card' | 'record';

/** A call from a page to main. `pages`: those that may make it. */
export interface Call {
  pages: readonly DesktopPage[];
  input: z.ZodTuple;
  output: z.ZodType;
}

/** An event from main to the pages that may receive it. */
export interface Event {
  pages: readonly DesktopPage[];
  payload: z.ZodType;
}
