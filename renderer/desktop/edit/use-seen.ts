import { useEffect, useRef, useState } from 'react';
import { isTyping } from '#renderer/images/typing.ts';

/** Milliseconds for which a picture is shown before it can be sent: a doubled Enter or click is meant for the one before it. */
const GUARD = 600;

/**
 * Whether the picture has been shown long enough to be sent. Until then, and while Enter is held, Enter does nothing: the next draft takes the
 * place of the one just sent.
 */
export function useSeen(): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setIsSeen(true), GUARD);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, []);
  const latest = useRef(isSeen);
  latest.current = isSeen;
  useEffect(() => {
    let isHeld = false;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || isTyping(event.target)) return;
      if (!latest.current) isHeld = true; // another window may have seen it go down
      if (!isHeld && !event.repeat) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const release = (event: KeyboardEvent) => {
      if (event.key === 'Enter') isHeld = false;
    };
    // Before everything else, buttons included.
    addEventListener('keydown', press, { capture: true });
    addEventListener('keyup', release, { capture: true });
    return () => {
      removeEventListener('keydown', press, { capture: true });
      removeEventListener('keyup', release, { capture: true });
    };
  }, []);
  return isSeen;
}
