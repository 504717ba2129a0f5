import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';

/** Props of fields in the viewer, in which Escape must not close it. */
export const ownEscape = { 'data-mantine-stop-propagation': 'true' };

/**
 * Escape in a field discards its input: `attempt` changes, which as a key remounts the fields, and the focus moves to the element
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
