import { useEffect } from 'react';
import type { UploadQueue } from './queue.ts';
import { isOpen } from './types.ts';

/** Lets the browser ask before the page is closed while uploads wait or run. */
export function useLeaveWarning(queue: UploadQueue): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (queue.getSnapshot().items.some(isOpen)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [queue]);
}
