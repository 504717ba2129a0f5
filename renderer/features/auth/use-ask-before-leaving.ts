import { type RefObject, useEffect } from 'react';

/** Lets the browser ask before it leaves a page on which something was `typed` that would be lost. */
export function useAskBeforeLeaving(typed: RefObject<boolean>): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => typed.current && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [typed]);
}
