import { createContext, use } from 'react';

/** Copies text and resolves with whether that worked. `quiet`: nothing is shown where the browser refuses, since the user didn't ask to copy. */
export type Copy = (text: string, options?: { quiet?: boolean }) => Promise<boolean>;

export const CopyContext = createContext<Copy | undefined>(undefined);

/**
 * Returns a function that copies text and resolves with whether that worked. Where the browser doesn't allow it, a dialog shows
 * the text, selected, to copy by hand.
 */
export function useCopy(): Copy {
  const copy = use(CopyContext);
  if (!copy) throw new Error('useCopy needs a provider of CopyContext above it');
  return copy;
}
