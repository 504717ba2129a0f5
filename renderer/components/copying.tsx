import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useState } from 'react';
import { copyText } from '#renderer/clipboard.ts';
import { load } from '#renderer/service/connection.ts';

const CopyByHand = lazy(() => load(() => import('./copy-by-hand.tsx')).then((module) => ({ default: module.CopyByHand })));

type Copy = (text: string) => Promise<boolean>;

const CopyContext = createContext<Copy | undefined>(undefined);

/**
 * Returns a function that copies text and resolves with whether that worked. Where the browser doesn't allow it, a dialog shows
 * the text, selected, to copy by hand.
 */
export function useCopy(): Copy {
  const copy = use(CopyContext);
  if (!copy) throw new Error('useCopy needs a CopyProvider above it');
  return copy;
}

export function CopyProvider({ children }: { children: ReactNode }) {
  const [byHand, setByHand] = useState<string>();
  const copy = useCallback(async (text: string) => {
    const copied = await copyText(text);
    if (!copied) setByHand(text);
    return copied;
  }, []);
  return (
    <CopyContext value={copy}>
      {children}
      {byHand !== undefined && (
        <Suspense>
          <CopyByHand text={byHand} onClose={() => setByHand(undefined)} />
        </Suspense>
      )}
    </CopyContext>
  );
}
