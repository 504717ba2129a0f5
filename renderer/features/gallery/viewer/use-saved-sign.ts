import { useEffect, useState } from 'react';
import type { Change } from './use-change.ts';

const SHOWN_MS = 2500;

/** Returns a function that changes the image as `change` does, and whether to show that the last change has been saved. */
export function useSavedSign(change: Change): { change: Change; saved: boolean } {
  const [savedAt, setSavedAt] = useState<number>();
  useEffect(() => {
    if (savedAt === undefined) return;
    const timer = setTimeout(() => setSavedAt(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [savedAt]);
  return {
    change: (wanted, onDone) =>
      change(wanted, (image) => {
        setSavedAt(performance.now());
        onDone?.(image);
      }),
    saved: savedAt !== undefined,
  };
}
