import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';

/** For fields of the viewer: Escape in them does not close it. */
export const ownEscape = { 'data-mantine-stop-propagation': 'true' };

/**
 * Escape in a field takes back what was typed there: the fields are made anew, under another number, and the focus goes to what is
 * around them, so that the next Escape closes the viewer.
 */
export function useOwnEscape() {
  const around = useRef<HTMLElement>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (attempt > 0) around.current?.focus();
  }, [attempt]);
  const onKeyDown = useCallback((event: KeyboardEvent<HTMLElement>) => {
    const { target, nativeEvent } = event;
    if (event.key !== 'Escape' || nativeEvent.isComposing || !(target as Element).matches('[data-mantine-stop-propagation]')) return;
    setAttempt((before) => before + 1);
  }, []);
  return { attempt, around: { ref: around, onKeyDown, tabIndex: -1 } };
}
